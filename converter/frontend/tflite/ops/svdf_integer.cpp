// Features are sums of bytes that become int16 (or int8) as they enter the state; what these are over time,
// weighted, adds up in 32 bits with the bias, and is rounded once more.

#include "converter/frontend/tflite/ops/svdf_integer.h"

#include <limits>
#include <utility>

#include "converter/frontend/tflite/ops/integer_sums.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;

// One scale, and no zero point unless `may_be_asymmetric`.
bool ReadForm(const fb::Tensor& tensor, bool may_be_asymmetric, StoredForm* form) {
  form->dtype = DTypeOf(tensor.type());
  return IsQuantized(tensor) && ReadQuantization(tensor, &form->quantization).ok() &&
         form->quantization.scales.size() == 1 &&
         (may_be_asymmetric || form->quantization.zero_points.empty());
}

class IntegerSvdf {
 public:
  IntegerSvdf(OpContext& c, const fb::SVDFOptionsT& options) : c_(c), options_(options) {}

  bool Read() {
    if (!c_.op.wants_output(0) || !c_.op.has_input(kSvdf.state)) return false;
    const bool has_forms = ReadForm(c_.op.tensor(kSvdf.x), true, &x_) &&
                           ReadForm(c_.op.tensor(kSvdf.state), false, &state_) &&
                           ReadForm(c_.op.output_tensor(0), true, &y_);
    const bool has_types = has_forms && x_.dtype == DType::kInt8 && y_.dtype == DType::kInt8 &&
                           (state_.dtype == DType::kInt16 || state_.dtype == DType::kInt8);
    return has_types && AreByteWeights(Stored(kSvdf.feature_weights)) && ReadTimeWeights() && ReadBias() &&
           !Clamps();
  }

  Status Run() {
    const auto features = static_cast<int32_t>(Stored(kSvdf.time_weights).shape[0]),
               memory = static_cast<int32_t>(Stored(kSvdf.time_weights).shape[1]);
    ir::ValueId state = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(ReadStoredVariable(c_, kSvdf.state, &state));
    const ir::ValueId all = Moved(c_.build.Reshape(state, {ir::CopyDim(0), features, memory}));
    const ir::ValueId kept = Moved(c_.build.Slice(all, 2, 1, memory));
    const ir::ValueId next = Moved(c_.build.Concat({kept, Moved(ir::InsertDim(c_.build, Newest(), 2))}, 2));
    MICRORT_RETURN_IF_ERROR(AssignStoredVariable(
        c_, kSvdf.state, Moved(c_.build.Reshape(next, {ir::CopyDim(0), features * memory}))));
    const ir::ValueId time = c_.build.Constant<int32_t>({features, memory}, time_weights_);
    const ir::ValueId weighted = c_.build.Binary(BinaryKind::Mul, c_.build.Cast(next, DType::kInt32), time);
    const ir::ValueId units =
        c_.build.Reshape(weighted, {ir::CopyDim(0), features / options_.rank, options_.rank * memory});
    ir::ValueId sums = c_.build.Reduce(schema::ReduceKind::Sum, units, {2}, false);
    if (!bias_.empty()) {
      const auto n = static_cast<int64_t>(bias_.size());
      sums = c_.build.Binary(BinaryKind::Add, sums, c_.build.Constant<int32_t>({n}, bias_));
    }
    const float scale = ScaleOf(state_) * time_scale_ / ScaleOf(y_);
    c_.SetStoredOutput(0, ByRatio(sums, scale, y_));
    return c_.build.status();
  }

 private:
  const ir::Value& Stored(size_t i) { return c_.value(c_.stored(i)); }
  static float ScaleOf(const StoredForm& form) { return form.quantization.scales[0]; }

  bool ReadTimeWeights() {
    const ir::Value& w = Stored(kSvdf.time_weights);
    std::vector<int64_t> integers;
    if (w.dtype != state_.dtype || w.quantization.scales.size() != 1 || !w.quantization.zero_points.empty() ||
        !ir::AnyIntegersOf(w, &integers)) {
      return false;
    }
    time_scale_ = w.quantization.scales[0];
    time_weights_.assign(integers.begin(), integers.end());
    return Stored(kSvdf.feature_weights).shape[0] == w.shape[0];
  }

  bool ReadBias() {
    if (!c_.op.has_input(kSvdf.bias)) return true;
    const ir::Value& bias = Stored(kSvdf.bias);
    std::vector<int64_t> integers;
    const int64_t units = Stored(kSvdf.time_weights).shape[0] / options_.rank;
    if (bias.dtype != DType::kInt32 || !ir::AnyIntegersOf(bias, &integers) ||
        static_cast<int64_t>(integers.size()) != units) {
      return false;
    }
    bias_.assign(integers.begin(), integers.end());
    return true;
  }

  // The reference kernel has no activation but what int8 cannot stand for.
  bool Clamps() const {
    if (options_.fused_activation_function == fb::ActivationFunctionType::None) return false;
    return options_.fused_activation_function != fb::ActivationFunctionType::Relu ||
           !StaysWithin(y_.dtype, y_.quantization, 0, std::numeric_limits<float>::infinity());
  }

  ir::ValueId Newest() {
    const ir::ValueId sums =
        ByteSums(c_.build, c_.stored(kSvdf.x), c_.stored(kSvdf.feature_weights), ir::kNoValue);
    const float scale = ScaleOf(x_) * Stored(kSvdf.feature_weights).quantization.scales[0] / ScaleOf(state_);
    return ByRatio(sums, scale, state_);
  }

  // Ratios of scales are floats there, which are multiplied as they are.
  ir::ValueId ByRatio(ir::ValueId sums, float ratio, const StoredForm& to) {
    const StoredForm unit = {to.dtype, {{1.0f}, to.quantization.zero_points}};
    return Relabelled(c_.build, Narrowed(c_.build, sums, ratio, unit), to.quantization);
  }

  ir::ValueId Moved(ir::ValueId id) { return tflite::Moved(c_.build, id, state_.quantization); }

  OpContext& c_;
  const fb::SVDFOptionsT& options_;
  StoredForm x_, state_, y_;
  float time_scale_ = 1;
  std::vector<int32_t> time_weights_, bias_;
};

}  // namespace

Status RunIntegerSvdf(OpContext& c, const fb::SVDFOptionsT& options, bool* is_done) {
  IntegerSvdf layer(c, options);
  *is_done = layer.Read();
  return *is_done ? layer.Run() : c.build.status();
}

}  // namespace micrort::frontend::tflite
