// LSTMs of int16 activations (16x8), and of int8 ones whose cell is int16 (8x8_16), in integers, step after
// step, as TensorFlow Lite's kernel for microcontrollers has them: sums of a gate are int16 of scale 2^-12,
// and what comes of tables has 2^-15.

#include "converter/frontend/tflite/ops/lstm_integer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "converter/frontend/tflite/ops/dims.h"
#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/integer_sums.h"
#include "converter/frontend/tflite/ops/sequence.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "kernels/elementwise/unary_s16.h"
#include "kernels/layer_s16/epilogue_s16.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;
using schema::UnaryKind;

constexpr float kSumScale = 1.0f / 4096;
constexpr size_t kGates = 4;
enum Gate : size_t { kInput, kForget, kCell, kOutput };

// int16, or int8 with any zero point.
bool ReadForm(const fb::Tensor& tensor, StoredForm* form) {
  form->dtype = DTypeOf(tensor.type());
  const bool has_type = form->dtype == DType::kInt8 ? IsQuantized(tensor) : IsSymmetricInt16(tensor);
  return has_type && ReadQuantization(tensor, &form->quantization).ok() &&
         form->quantization.scales.size() == 1;
}
float ScaleOf(const StoredForm& form) { return form.quantization.scales[0]; }

// By which sums of int16 stay within the kernels' limit.
bool HasWeights(OpContext& c, size_t i, const StoredForm& x) {
  if (!c.op.has_input(i)) return false;
  const ir::Value& w = c.value(c.stored(i));
  return AreByteWeights(w) &&
         (x.dtype == DType::kInt8 ||
          static_cast<double>(ScaleOf(x)) * static_cast<double>(w.quantization.scales[0]) <
              kMaxScaleRatioS16 * static_cast<double>(kSumScale));
}

bool IsPowerOfTwo(float scale) {
  int exponent = 0;
  return std::frexp(scale, &exponent) == 0.5f;
}

bool HasTanh(const StoredForm& cell) {
  UnaryS16Op op;
  return PlanUnaryS16({micrort::UnaryKind::kTanh}, {DType::kInt16, true, {ScaleOf(cell), 0}},
                      {DType::kInt16, true, {kTableS16Scale, 0}}, &op);
}

class IntegerLstm {
 public:
  IntegerLstm(OpContext& c, const LstmInputs& inputs, const LstmOptions& options)
      : c_(c), inputs_(inputs), options_(options) {}

  bool Read() {
    const bool has_forms = c_.op.wants_output(0) && c_.op.has_input(inputs_.output_state) &&
                           c_.op.has_input(inputs_.cell_state) && ReadForm(c_.op.tensor(0), &x_) &&
                           ReadForm(c_.op.tensor(inputs_.output_state), &hidden_) &&
                           ReadForm(c_.op.tensor(inputs_.cell_state), &cell_);
    StoredForm y;
    if (!has_forms || hidden_.dtype != x_.dtype || cell_.dtype != DType::kInt16 ||
        !ReadForm(c_.op.output_tensor(0), &y) || y.dtype != hidden_.dtype ||
        !(y.quantization == hidden_.quantization) || !IsPowerOfTwo(ScaleOf(cell_)) || !HasTanh(cell_) ||
        options_.activation != fb::ActivationFunctionType::Tanh || HasExtras()) {
      return false;
    }
    for (size_t k = 0; k < kGates; ++k) {
      if (!HasWeights(c_, inputs_.weights + k, x_) || !HasWeights(c_, inputs_.recurrent + k, hidden_) ||
          !ReadBias(k)) {
        return false;
      }
    }
    return true;
  }

  Status Run(bool time_major) {
    const ir::ValueId x = Moved(TimeFirst(c_, c_.stored(0), time_major), x_.quantization);
    const int64_t steps = c_.value(x).dim(0);
    for (size_t k = 0; k < kGates; ++k) from_x_[k] = Product(x, x_, inputs_.weights + k, Bias(k));
    ir::ValueId output = ir::kNoValue, cell = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(ReadStoredVariable(c_, inputs_.output_state, &output));
    MICRORT_RETURN_IF_ERROR(ReadStoredVariable(c_, inputs_.cell_state, &cell));
    std::vector<ir::ValueId> outputs;
    for (int64_t t = 0; t < steps; ++t) {
      Step(t, &output, &cell);
      outputs.push_back(Moved(InsertDim(c_, output, 0), hidden_.quantization));
    }
    MICRORT_RETURN_IF_ERROR(AssignStoredVariable(c_, inputs_.output_state, output));
    MICRORT_RETURN_IF_ERROR(AssignStoredVariable(c_, inputs_.cell_state, cell));
    const ir::ValueId all = Moved(c_.build.Concat(outputs, 0), hidden_.quantization);
    c_.SetStoredOutput(0, Moved(TimeFirst(c_, all, time_major), hidden_.quantization));
    return c_.build.status();
  }

 private:
  // Whether the node has peepholes, a projection or normalization, which the reference kernel does not
  // support.
  bool HasExtras() const {
    for (size_t i = inputs_.peephole; i < inputs_.peephole + 3; ++i) {
      if (c_.op.has_input(i)) return true;
    }
    for (size_t i = inputs_.norm; i < inputs_.norm + kGates; ++i) {
      if (c_.op.has_input(i)) return true;
    }
    return c_.op.has_input(inputs_.projection) || c_.op.has_input(inputs_.projection_bias);
  }

  bool ReadBias(size_t k) {
    if (!c_.op.has_input(inputs_.bias + k)) return false;
    return ir::AnyIntegersOf(c_.value(c_.stored(inputs_.bias + k)), &bias_[k]);
  }

  // As wide as the sums that it is added to.
  ir::ValueId Bias(size_t k) {
    const auto n = static_cast<int64_t>(bias_[k].size());
    if (x_.dtype == DType::kInt16) return c_.build.Constant<int64_t>({n}, bias_[k]);
    return c_.build.Constant<int32_t>({n}, std::vector<int32_t>(bias_[k].begin(), bias_[k].end()));
  }

  // What only moves integers keeps what they stand for.
  ir::ValueId Moved(ir::ValueId id, const ir::Quantization& q) {
    if (c_.build.status().ok()) c_.build.graph().value(id).quantization = q;
    return id;
  }

  template <typename OptionsT>
  ir::ValueId Fixed(OptionsT options, std::vector<ir::ValueId> inputs, const ir::Quantization& q) {
    return c_.build.AddFixed(std::move(options), std::move(inputs), DType::kInt16, q);
  }
  ir::ValueId Product(ir::ValueId x, const StoredForm& form, size_t weights, ir::ValueId bias) {
    if (form.dtype == DType::kInt8) {
      const ir::ValueId w = c_.stored(weights);
      const float scale = ScaleOf(form) * c_.value(w).quantization.scales[0];
      return Narrowed(c_.build, ByteSums(c_.build, x, w, bias), scale, {DType::kInt16, sum_});
    }
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    std::vector<ir::ValueId> inputs = {x, c_.stored(weights)};
    if (bias != ir::kNoValue) inputs.push_back(bias);
    return Fixed(std::move(options), std::move(inputs), sum_);
  }
  ir::ValueId Binary(BinaryKind kind, ir::ValueId a, ir::ValueId b, const ir::Quantization& q) {
    schema::BinaryOptionsT options;
    options.kind = kind;
    return Fixed(std::move(options), {a, b}, q);
  }
  ir::ValueId Unary(UnaryKind kind, ir::ValueId x, const ir::Quantization& q, float a = 0, float b = 0) {
    schema::UnaryOptionsT options;
    options.kind = kind;
    options.a = a, options.b = b;
    return Fixed(std::move(options), {x}, q);
  }

  // Both sums are rounded before they are added.
  ir::ValueId Activated(Gate k, int64_t t, ir::ValueId output) {
    const ir::ValueId of_step = Moved(c_.build.Slice(from_x_[k], 0, t, t + 1), sum_);
    const ir::ValueId sum = Binary(BinaryKind::Add, Moved(DropDim(c_, of_step, 0), sum_),
                                   Product(output, hidden_, inputs_.recurrent + k, ir::kNoValue), sum_);
    return Unary(k == kCell ? UnaryKind::Tanh : UnaryKind::Sigmoid, sum, table_);
  }

  // The product of two numbers of tables.
  ir::ValueId Output(ir::ValueId a, ir::ValueId b) {
    if (hidden_.dtype == DType::kInt16) return Binary(BinaryKind::Mul, a, b, hidden_.quantization);
    const auto wide = [&](ir::ValueId x) { return c_.build.Cast(x, DType::kInt32); };
    return Narrowed(c_.build, c_.build.Binary(BinaryKind::Mul, wide(a), wide(b)),
                    kTableS16Scale * kTableS16Scale, hidden_);
  }

  void Step(int64_t t, ir::ValueId* output, ir::ValueId* cell) {
    const ir::ValueId f = Activated(kForget, t, *output), i = Activated(kInput, t, *output),
                      g = Activated(kCell, t, *output), o = Activated(kOutput, t, *output);
    const ir::Quantization& q = cell_.quantization;
    *cell =
        Binary(BinaryKind::Add, Binary(BinaryKind::Mul, f, *cell, q), Binary(BinaryKind::Mul, i, g, q), q);
    if (options_.cell_clip > 0) {
      const float most = std::trunc(std::min(options_.cell_clip / ScaleOf(cell_),
                                             static_cast<float>(std::numeric_limits<int16_t>::max()))) *
                         ScaleOf(cell_);
      *cell = Unary(UnaryKind::Clip, *cell, q, -most, most);
    }
    *output = Output(Unary(UnaryKind::Tanh, *cell, table_), o);
  }

  OpContext& c_;
  const LstmInputs& inputs_;
  const LstmOptions& options_;
  const ir::Quantization sum_ = {{kSumScale}, {}}, table_ = {{kTableS16Scale}, {}};
  StoredForm x_, hidden_, cell_;
  std::vector<int64_t> bias_[kGates];
  ir::ValueId from_x_[kGates] = {};  // the sums of all steps' inputs
};

}  // namespace

Status RunIntegerLstm(OpContext& c, const LstmInputs& inputs, const LstmOptions& options, bool time_major,
                      bool* is_done) {
  constexpr int64_t kMaxSteps = 256;
  *is_done = false;
  const bool has_type = c.op.has_input(0) && (c.op.tensor(0).type() == fb::TensorType::Int16 ||
                                              c.op.tensor(0).type() == fb::TensorType::Int8);
  if (!has_type) return Status();
  const int64_t steps = c.value(c.stored(0)).dim(time_major ? 0 : 1);
  IntegerLstm layer(c, inputs, options);
  if (steps == ir::kDynamic || steps < 1 || steps > kMaxSteps || !layer.Read()) return c.build.status();
  *is_done = true;
  return layer.Run(time_major);
}

}  // namespace micrort::frontend::tflite
