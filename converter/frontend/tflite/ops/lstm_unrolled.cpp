// LSTMs with what Recurrent does not have: a clipped cell, a projection, normalized sums.

#include <algorithm>

#include "converter/frontend/tflite/ops/dims.h"
#include "converter/frontend/tflite/ops/lstm_layer.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;
using schema::UnaryKind;

class LstmStep {
 public:
  LstmStep(OpContext& c, const LstmLayer& layer) : c_(c), layer_(layer) {}

  // One step from x [N,K]; *output [N,P] and *cell [N,H] become the next ones.
  Status Run(ir::ValueId x, ir::ValueId* output, ir::ValueId* cell) {
    const ir::ValueId f = Sigmoid(Sums(layer_.forget, x, *output, *cell));
    const ir::ValueId i = layer_.couples_gates() ? Binary(BinaryKind::Sub, c_.build.Scalar(1), f)
                                                 : Sigmoid(Sums(layer_.input, x, *output, *cell));
    ir::ValueId g = Sums(layer_.cell, x, *output, ir::kNoValue);
    MICRORT_RETURN_IF_ERROR(Activate(&g));
    *cell = Binary(BinaryKind::Add, Binary(BinaryKind::Mul, f, *cell), Binary(BinaryKind::Mul, i, g));
    *cell = Clipped(*cell, layer_.cell_clip);
    const ir::ValueId o = Sigmoid(Sums(layer_.output, x, *output, *cell));
    ir::ValueId h = *cell;
    MICRORT_RETURN_IF_ERROR(Activate(&h));
    *output = Projected(Binary(BinaryKind::Mul, o, h));
    return c_.build.status();
  }

 private:
  ir::ValueId Binary(BinaryKind kind, ir::ValueId a, ir::ValueId b) { return c_.build.Binary(kind, a, b); }
  ir::ValueId Sigmoid(ir::ValueId x) { return c_.build.Unary(UnaryKind::Sigmoid, x); }
  ir::ValueId Clipped(ir::ValueId x, float limit) {
    return limit > 0 ? c_.build.Unary(UnaryKind::Clip, x, -limit, limit) : x;
  }
  ir::ValueId Product(ir::ValueId x, ir::ValueId matrix, ir::ValueId bias) {
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    options.compute = layer_.compute;
    std::vector<ir::ValueId> inputs = {x, matrix};
    if (bias != ir::kNoValue) inputs.push_back(bias);
    return c_.build.Add(std::move(options), std::move(inputs));
  }

  ir::ValueId Sums(const LstmGate& gate, ir::ValueId x, ir::ValueId output, ir::ValueId cell) {
    const bool norms = gate.norm != ir::kNoValue;
    ir::ValueId sums = Product(x, gate.weights, norms ? ir::kNoValue : gate.bias);
    sums = Binary(BinaryKind::Add, sums, Product(output, gate.recurrent, ir::kNoValue));
    if (gate.peephole != ir::kNoValue && cell != ir::kNoValue)
      sums = Binary(BinaryKind::Add, sums, Binary(BinaryKind::Mul, cell, gate.peephole));
    if (!norms) return sums;
    constexpr float kEpsilon = 1e-8f;
    schema::NormalizeOptionsT options;
    options.axes = {1};
    options.epsilon = kEpsilon;
    return c_.build.Add(std::move(options), {sums, gate.norm, gate.bias});
  }

  Status Activate(ir::ValueId* x) {
    switch (layer_.activation) {
      case fb::ActivationFunctionType::Tanh:
        *x = c_.build.Unary(UnaryKind::Tanh, *x);
        return Status();
      case fb::ActivationFunctionType::None:
        return Status();
      default:
        return MICRORT_ERROR(kUnsupported, "the activation %s of an LSTM",
                             fb::EnumNameActivationFunctionType(layer_.activation));
    }
  }

  ir::ValueId Projected(ir::ValueId h) {
    if (layer_.projection == ir::kNoValue) return h;
    return Clipped(Product(h, layer_.projection, layer_.projection_bias), layer_.projection_clip);
  }

  OpContext& c_;
  const LstmLayer& layer_;
};

}  // namespace

Status UnrollLstm(OpContext& c, const LstmLayer& layer, ir::ValueId x, ir::ValueId output, ir::ValueId cell,
                  LstmResult* result) {
  constexpr int64_t kMaxSteps = 256;
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const int64_t steps = c.value(x).dim(0);
  if (steps == ir::kDynamic || steps > kMaxSteps) {
    return MICRORT_ERROR(
        kUnsupported,
        "an LSTM with a clipped cell, a projection or normalized sums over more than %lld steps",
        static_cast<long long>(kMaxSteps));
  }
  LstmStep step(c, layer);
  std::vector<ir::ValueId> outputs;
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t t = layer.reverse ? steps - 1 - i : i;
    MICRORT_RETURN_IF_ERROR(step.Run(DropDim(c, c.build.Slice(x, 0, t, t + 1), 0), &output, &cell));
    outputs.push_back(InsertDim(c, output, 0));
  }
  if (layer.reverse) std::reverse(outputs.begin(), outputs.end());
  if (outputs.empty()) return MICRORT_ERROR(kInvalidModel, "an LSTM without steps");
  *result = {c.build.Concat(outputs, 0), output, cell};
  return c.build.status();
}

}  // namespace micrort::frontend::tflite
