#include "converter/frontend/tflite/ops/int16.h"

#include <limits>
#include <set>
#include <string>

#include "converter/frontend/common/text.h"
#include "kernels/layer_s16/epilogue_s16.h"

namespace micrort::frontend::tflite {

namespace {

bool ReadSymmetric(const fb::Tensor& tensor, ir::Quantization* out) {
  return IsQuantized(tensor) && ReadQuantization(tensor, out).ok() && out->zero_points.empty();
}

// Weights as the runtime takes them: what they stand for has to be less than the kernel's limit allows.
bool FitsScales(const OpContext& c, size_t x, const ir::Quantization& weights) {
  ir::Quantization in, out;
  if (!ReadSymmetric(c.op.tensor(x), &in) || !ReadSymmetric(c.op.output_tensor(0), &out)) return false;
  for (const float scale : weights.scales) {
    const double ratio =
        static_cast<double>(in.scales[0]) * static_cast<double>(scale) / static_cast<double>(out.scales[0]);
    if (!(ratio < kMaxScaleRatioS16)) return false;
  }
  return true;
}

// kNoValue if there is none; nothing if it is no constant of integers.
std::optional<ir::ValueId> Int16Bias(OpContext& c, size_t bias, int64_t channels, Int16Sums sums) {
  const bool may_be_narrow = sums == Int16Sums::kNarrow;
  if (!c.op.has_input(bias)) {
    if (!may_be_narrow) return ir::kNoValue;
    return c.build.Constant<int32_t>({channels}, std::vector<int32_t>(static_cast<size_t>(channels)));
  }
  const ir::Value stored = c.value(c.stored(bias));
  std::vector<int64_t> integers;
  if (!ir::AnyIntegersOf(stored, &integers)) return std::nullopt;
  if (may_be_narrow && stored.dtype == DType::kInt32)
    return c.build.Constant<int32_t>(stored.shape, std::vector<int32_t>(integers.begin(), integers.end()));
  return c.build.Constant<int64_t>(stored.shape, integers);
}

}  // namespace

bool IsSymmetricInt16(const fb::Tensor& tensor) {
  ir::Quantization quantization;
  return tensor.type() == fb::TensorType::Int16 && ReadSymmetric(tensor, &quantization) &&
         quantization.scales.size() == 1;
}

bool ComputesInt16(const OpContext& c, size_t inputs) {
  for (size_t i = 0; i < inputs; ++i) {
    if (!c.op.has_input(i) || !IsSymmetricInt16(c.op.tensor(i))) return false;
  }
  return c.op.wants_output(0) && IsSymmetricInt16(c.op.output_tensor(0));
}

bool MovesInt16(const StatedOperator& op, const std::string& name) {
  static const std::set<std::string> kOps = SetOfWords(
      "ARG_MAX ARG_MIN BROADCAST_TO DYNAMIC_UPDATE_SLICE CONCATENATION EQUAL EXPAND_DIMS FILL GATHER "
      "GATHER_ND GREATER_EQUAL LESS LESS_EQUAL MAXIMUM MINIMUM MIRROR_PAD NOT_EQUAL PACK PAD PADV2 "
      "REDUCE_MAX REDUCE_MIN RESHAPE RESIZE_NEAREST_NEIGHBOR REVERSE_SEQUENCE REVERSE_V2 SELECT SELECT_V2 "
      "SLICE SPLIT SPLIT_V SQUEEZE STRIDED_SLICE TILE TOPK_V2 TRANSPOSE UNPACK BATCH_TO_SPACE_ND "
      "SPACE_TO_BATCH_ND DEPTH_TO_SPACE SPACE_TO_DEPTH ZEROS_LIKE");
  if (kOps.count(name) == 0) return false;
  std::optional<ir::Quantization> common;
  const auto has_common = [&](const fb::Tensor& tensor) {
    ir::Quantization own;
    if (tensor.type() != fb::TensorType::Int16) return true;
    if (!IsSymmetricInt16(tensor) || !ReadQuantization(tensor, &own).ok()) return false;
    if (!common) common = own;
    return own == *common;
  };
  for (size_t i = 0; i < op.input_count(); ++i) {
    if (op.has_input(i) && !has_common(op.tensor(i))) return false;
  }
  for (size_t i = 0; i < op.output_count(); ++i) {
    if (op.wants_output(i) && !has_common(op.output_tensor(i))) return false;
  }
  return common.has_value();
}

std::optional<schema::Activation> Int16Clamp(fb::ActivationFunctionType activation) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (activation) {
    case fb::ActivationFunctionType::None:
      return schema::Activation();
    case fb::ActivationFunctionType::Relu:
      return schema::Activation(schema::ActivationKind::Clip, 0, kInfinity);
    case fb::ActivationFunctionType::ReluN1To1:
      return schema::Activation(schema::ActivationKind::Clip, -1, 1);
    case fb::ActivationFunctionType::Relu6:
      return schema::Activation(schema::ActivationKind::Clip, 0, 6);
    default:
      return std::nullopt;
  }
}

Status ReturnInt16(OpContext& c, schema::UnaryKind kind, float a, float b) {
  schema::UnaryOptionsT options;
  options.kind = kind;
  options.a = a;
  options.b = b;
  return ReturnInt16(c, std::move(options), {c.stored(0)});
}

std::optional<std::vector<ir::ValueId>> Int16Layer(OpContext& c, const LayerPlaces& places, Int16Sums sums) {
  const bool is_int16 = c.op.wants_output(0) && IsSymmetricInt16(c.op.tensor(places.x)) &&
                        IsSymmetricInt16(c.op.output_tensor(0));
  if (!is_int16) return std::nullopt;
  const ir::ValueId weights = c.stored(places.weights);
  const ir::Value stored = c.value(weights);
  const ir::Quantization& q = stored.quantization;
  if (!stored.is_constant() || stored.dtype != DType::kInt8 || q.empty() || !q.zero_points.empty() ||
      !FitsScales(c, places.x, q)) {
    return std::nullopt;
  }
  // Output channels are the first dimension, or the last one of a depthwise convolution.
  const auto channels = stored.shape[q.axis > 0 ? static_cast<size_t>(q.axis) : 0];
  const auto bias = Int16Bias(c, places.bias, channels, sums);
  if (!bias) return std::nullopt;
  return ir::Present({c.stored(places.x), weights, *bias});
}

}  // namespace micrort::frontend::tflite
