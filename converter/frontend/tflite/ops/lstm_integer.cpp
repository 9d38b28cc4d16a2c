// LSTMs of int16 activations (16x8), and of int8 ones whose cell is int16 (8x8_16), in integers, step after
// step, as TensorFlow Lite's kernel for microcontrollers has them: sums of a gate are int16 of scale 2^-12,
// and what comes of tables has 2^-15.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "converter/frontend/tflite/ops/int16.h"
#include "converter/frontend/tflite/ops/integer_sums.h"
#include "converter/frontend/tflite/ops/lstm_layer.h"
#include "converter/frontend/tflite/ops/rnn_layer.h"
#include "converter/frontend/tflite/ops/steps.h"
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
    const ir::ValueId x = Moved(c_.build, TimeFirst(c_, c_.stored(0), time_major), x_.quantization);
    std::vector<ir::ValueId> from_x;
    for (size_t k = 0; k < kGates; ++k)
      from_x.push_back(Product(c_.build, x, x_, c_.stored(inputs_.weights + k), Bias(k)));
    const ir::ValueId sums = Moved(c_.build, c_.build.Concat(from_x, 2), sum_);
    std::vector<ir::ValueId> states(2);
    MICRORT_ASSIGN_OR_RETURN(states[0], ReadStoredVariable(c_, inputs_.output_state));
    MICRORT_ASSIGN_OR_RETURN(states[1], ReadStoredVariable(c_, inputs_.cell_state));
    for (size_t k = 0; k < kGates; ++k) recurrent_[k] = c_.stored(inputs_.recurrent + k);
    MICRORT_RETURN_IF_ERROR(c_.build.status());
    const Step step = [this](const StepCall& call, std::vector<ir::ValueId>* of, ir::ValueId* y) {
      RunStep(call, &(*of)[0], &(*of)[1]);
      *y = (*of)[0];
      return call.build.status();
    };
    StepsResult result;
    MICRORT_RETURN_IF_ERROR(RunSteps(c_, sums, std::move(states), false, step, &result));
    MICRORT_RETURN_IF_ERROR(AssignStoredVariable(c_, inputs_.output_state, result.states[0]));
    MICRORT_RETURN_IF_ERROR(AssignStoredVariable(c_, inputs_.cell_state, result.states[1]));
    c_.SetStoredOutput(0, Moved(c_.build, TimeFirst(c_, result.y, time_major), hidden_.quantization));
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

  template <typename OptionsT>
  static ir::ValueId Fixed(ir::Builder& build, OptionsT options, std::vector<ir::ValueId> inputs,
                           const ir::Quantization& q) {
    return build.AddFixed(std::move(options), std::move(inputs), DType::kInt16, q);
  }
  ir::ValueId Product(ir::Builder& build, ir::ValueId x, const StoredForm& form, ir::ValueId weights,
                      ir::ValueId bias) const {
    if (!build.status().ok()) return x;
    if (form.dtype == DType::kInt8) {
      const float scale = ScaleOf(form) * build.graph().value(weights).quantization.scales[0];
      return Narrowed(build, ByteSums(build, x, weights, bias), scale, {DType::kInt16, sum_});
    }
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    return Fixed(build, std::move(options), ir::Present({x, weights, bias}), sum_);
  }
  static ir::ValueId Binary(ir::Builder& build, BinaryKind kind, ir::ValueId a, ir::ValueId b,
                            const ir::Quantization& q) {
    schema::BinaryOptionsT options;
    options.kind = kind;
    return Fixed(build, std::move(options), {a, b}, q);
  }
  static ir::ValueId Unary(ir::Builder& build, UnaryKind kind, ir::ValueId x, const ir::Quantization& q,
                           float a = 0, float b = 0) {
    schema::UnaryOptionsT options;
    options.kind = kind;
    options.a = a, options.b = b;
    return Fixed(build, std::move(options), {x}, q);
  }

  // Both sums are rounded before they are added.
  ir::ValueId Activated(const StepCall& call, Gate k, ir::ValueId output) const {
    const auto width = static_cast<int64_t>(bias_[k].size()), first = static_cast<int64_t>(k) * width;
    ir::Builder& build = call.build;
    const ir::ValueId from_x = Moved(build, build.Slice(call.x, 1, first, first + width), sum_);
    const ir::ValueId from_output = Product(build, output, hidden_, call.outer(recurrent_[k]), ir::kNoValue);
    const ir::ValueId sum = Binary(build, BinaryKind::Add, from_x, from_output, sum_);
    return Unary(build, k == kCell ? UnaryKind::Tanh : UnaryKind::Sigmoid, sum, table_);
  }

  // The product of two numbers of tables.
  ir::ValueId Output(ir::Builder& build, ir::ValueId a, ir::ValueId b) const {
    if (hidden_.dtype == DType::kInt16) return Binary(build, BinaryKind::Mul, a, b, hidden_.quantization);
    const auto wide = [&](ir::ValueId x) { return build.Cast(x, DType::kInt32); };
    return Narrowed(build, build.Mul(wide(a), wide(b)), kTableS16Scale * kTableS16Scale, hidden_);
  }

  void RunStep(const StepCall& call, ir::ValueId* output, ir::ValueId* cell) const {
    ir::Builder& build = call.build;
    const ir::ValueId f = Activated(call, kForget, *output), i = Activated(call, kInput, *output),
                      g = Activated(call, kCell, *output), o = Activated(call, kOutput, *output);
    const ir::Quantization& q = cell_.quantization;
    *cell = Binary(build, BinaryKind::Add, Binary(build, BinaryKind::Mul, f, *cell, q),
                   Binary(build, BinaryKind::Mul, i, g, q), q);
    if (options_.cell_clip > 0) {
      const float most = std::trunc(std::min(options_.cell_clip / ScaleOf(cell_),
                                             static_cast<float>(std::numeric_limits<int16_t>::max()))) *
                         ScaleOf(cell_);
      *cell = Unary(build, UnaryKind::Clip, *cell, q, -most, most);
    }
    *output = Output(build, Unary(build, UnaryKind::Tanh, *cell, table_), o);
  }

  OpContext& c_;
  const LstmInputs& inputs_;
  const LstmOptions& options_;
  const ir::Quantization sum_ = {{kSumScale}, {}}, table_ = {{kTableS16Scale}, {}};
  StoredForm x_, hidden_, cell_;
  std::vector<int64_t> bias_[kGates];
  ir::ValueId recurrent_[kGates] = {};
};

}  // namespace

Status RunIntegerLstm(OpContext& c, const LstmInputs& inputs, const LstmOptions& options, bool time_major,
                      bool* is_done) {
  *is_done = false;
  const bool has_type = c.op.has_input(0) && (c.op.tensor(0).type() == fb::TensorType::Int16 ||
                                              c.op.tensor(0).type() == fb::TensorType::Int8);
  if (!has_type) return Status();
  IntegerLstm layer(c, inputs, options);
  if (!layer.Read()) return c.build.status();
  *is_done = true;
  return layer.Run(time_major);
}

}  // namespace micrort::frontend::tflite
