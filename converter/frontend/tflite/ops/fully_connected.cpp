// FULLY_CONNECTED and BATCH_MATMUL.

#include "converter/frontend/tflite/ops/hybrid.h"
#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/registry.h"
#include "kernels/layer_s16/epilogue_s16.h"
#include "kernels/layer_s16/product_s16.h"

namespace micrort::frontend::tflite {

namespace {

ir::ValueId ReshapedInt16(OpContext& c, ir::ValueId x, std::vector<int32_t> shape) {
  const ir::ValueId y = c.build.Reshape(x, std::move(shape));
  c.build.graph().value(y).quantization = c.value(x).quantization;
  return y;
}

// Without keep_num_dims, whatever is before the features is one dimension.
Status ImportFullyConnected(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 2));
  const auto o = c.op.Options<fb::FullyConnectedOptionsT>();
  if (o.weights_format != fb::FullyConnectedOptionsWeightsFormat::Default)
    return Unsupported("shuffled weights");
  const int64_t depth = c.x(1).shape[1];
  if (depth == ir::kDynamic) return Unsupported("weights whose shape is not fixed");
  MICRORT_ASSIGN_OR_RETURN(const int32_t columns, ToInt32(depth, "features"));
  const bool keeps = o.keep_num_dims && c.x().rank() >= 2;
  const bool reshapes = !keeps && (c.x().rank() != 2 || c.x().shape[1] != depth);
  const auto clamp = Int16Clamp(o.fused_activation_function);
  if (auto inputs = clamp ? Int16Layer(c, {0, 1, 2}, Int16Sums::kNarrow) : std::nullopt) {
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    options.activation = *clamp;
    if (reshapes) (*inputs)[0] = ReshapedInt16(c, (*inputs)[0], {ir::kInferDim, columns});
    return ReturnInt16(c, std::move(options), std::move(*inputs));
  }
  ir::ValueId x = c.input(0), bias = ir::kNoValue;
  if (reshapes) x = c.build.Reshape(x, {ir::kInferDim, columns});
  MICRORT_ASSIGN_OR_RETURN(bias, ReadBias(c, 2, 0, 1));
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  options.compute = HybridCompute(c, 0, 1, o.asymmetric_quantize_inputs);
  return c.Return(c.build.Add(std::move(options), ir::Present({x, LayerWeights(c, 0, 1), bias})),
                  o.fused_activation_function);
}

// Whether the runtime multiplies the integers.
bool HasInt16Product(OpContext& c, bool adj_x) {
  ir::Quantization a, b, y;
  if (!ComputesInt16(c, 2) || !ReadQuantization(c.op.tensor(0), &a).ok() ||
      !ReadQuantization(c.op.tensor(1), &b).ok() || !ReadQuantization(c.op.output_tensor(0), &y).ok()) {
    return false;
  }
  const auto& shape = c.value(c.stored(0)).shape;
  const int64_t depth = shape[shape.size() - (adj_x ? 2 : 1)];
  return depth != ir::kDynamic && depth <= kMaxProductS16Depth &&
         static_cast<double>(a.scales[0] * b.scales[0]) / static_cast<double>(y.scales[0]) <
             kMaxScaleRatioS16;
}

Status ImportBatchMatMul(OpContext& c) {
  const auto o = c.op.Options<fb::BatchMatMulOptionsT>();
  for (size_t i = 0; i < 2; ++i) {
    if (c.x(i).rank() < 2) return Invalid("input {} has {} dimensions", i, c.x(i).rank());
  }
  schema::MatMulOptionsT options;
  options.transpose_b = o.adj_y;
  if (HasInt16Product(c, o.adj_x)) {
    ir::ValueId a = c.stored(0);
    if (o.adj_x) {
      a = c.build.SwapLastTwo(a);
      c.build.graph().value(a).quantization = c.value(c.stored(0)).quantization;
    }
    return ReturnInt16(c, std::move(options), {a, c.stored(1)});
  }
  options.compute = HybridCompute(c, 0, 1, o.asymmetric_quantize_inputs);
  const ir::ValueId a = o.adj_x ? c.build.SwapLastTwo(c.input(0)) : c.input(0);
  return c.Return(c.build.Add(std::move(options), {a, LayerWeights(c, 0, 1)}));
}

constexpr TypeSet kProducts = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

const ImporterList FullyConnectedImporters = {
    {"BATCH_MATMUL", 2, 2, ImportBatchMatMul, Types(kProducts)},
    {"FULLY_CONNECTED", 2, 3, ImportFullyConnected, Types(kProducts).Without("shuffled weights")},
};

}  // namespace micrort::frontend::tflite
