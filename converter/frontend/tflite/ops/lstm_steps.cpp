// LSTMs with what Recurrent does not have: a clipped cell, a projection, normalized sums.

#include <limits>

#include "converter/frontend/tflite/ops/lstm_layer.h"
#include "converter/frontend/tflite/ops/steps.h"

namespace micrort::frontend::tflite {

namespace {

using schema::UnaryKind;

class LstmStep {
 public:
  LstmStep(const StepCall& call, const LstmLayer& layer) : call_(call), build_(call.build), layer_(layer) {}

  // From x [N,K]; *output [N,P] and *cell [N,H] become the next ones.
  Status Run(ir::ValueId* output, ir::ValueId* cell) {
    const ir::ValueId x = call_.x;
    const ir::ValueId f = build_.Sigmoid(Sums(layer_.forget, x, *output, *cell));
    const ir::ValueId i = layer_.couples_gates() ? build_.Sub(build_.Scalar(1), f)
                                                 : build_.Sigmoid(Sums(layer_.input, x, *output, *cell));
    ir::ValueId g = Sums(layer_.cell, x, *output, ir::kNoValue);
    MICRORT_RETURN_IF_ERROR(Activate(&g));
    *cell = build_.Add(build_.Mul(f, *cell), build_.Mul(i, g));
    *cell = Clipped(*cell, layer_.cell_clip);
    const ir::ValueId o = build_.Sigmoid(Sums(layer_.output, x, *output, *cell));
    ir::ValueId h = *cell;
    MICRORT_RETURN_IF_ERROR(Activate(&h));
    *output = Projected(build_.Mul(o, h));
    return build_.status();
  }

 private:
  ir::ValueId Clipped(ir::ValueId x, float limit) {
    return limit > 0 ? build_.Unary(UnaryKind::Clip, x, -limit, limit) : x;
  }
  ir::ValueId Product(ir::ValueId x, ir::ValueId matrix, ir::ValueId bias) {
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    options.compute = layer_.compute;
    std::vector<ir::ValueId> inputs = {x, Of(matrix)};
    if (bias != ir::kNoValue) inputs.push_back(Of(bias));
    return build_.Add(std::move(options), std::move(inputs));
  }

  ir::ValueId Sums(const LstmGate& gate, ir::ValueId x, ir::ValueId output, ir::ValueId cell) {
    const bool norms = gate.norm != ir::kNoValue;
    ir::ValueId sums = Product(x, gate.weights, norms ? ir::kNoValue : gate.bias);
    sums = build_.Add(sums, Product(output, gate.recurrent, ir::kNoValue));
    if (gate.peephole != ir::kNoValue && cell != ir::kNoValue)
      sums = build_.Add(sums, build_.Mul(cell, Of(gate.peephole)));
    if (!norms) return sums;
    constexpr float kEpsilon = 1e-8f;
    schema::NormalizeOptionsT options;
    options.axes = {1};
    options.epsilon = kEpsilon;
    return build_.Add(std::move(options), {sums, Of(gate.norm), Of(gate.bias)});
  }

  Status Activate(ir::ValueId* x) {
    switch (layer_.activation) {
      case fb::ActivationFunctionType::Tanh:
        *x = build_.Tanh(*x);
        return Status();
      case fb::ActivationFunctionType::None:
        return Status();
      case fb::ActivationFunctionType::Relu:
        *x = build_.Unary(UnaryKind::Clip, *x, 0, std::numeric_limits<float>::infinity());
        return Status();
      case fb::ActivationFunctionType::Relu6:
        *x = build_.Unary(UnaryKind::Clip, *x, 0, 6);
        return Status();
      default:
        return Unsupported("the activation {} of an LSTM",
                           fb::EnumNameActivationFunctionType(layer_.activation));
    }
  }

  ir::ValueId Projected(ir::ValueId h) {
    if (layer_.projection == ir::kNoValue) return h;
    return Clipped(Product(h, layer_.projection, layer_.projection_bias), layer_.projection_clip);
  }

  // A matrix or vector of the layer.
  ir::ValueId Of(ir::ValueId weights) const {
    return weights == ir::kNoValue ? weights : call_.outer(weights);
  }

  const StepCall& call_;
  ir::Builder& build_;
  const LstmLayer& layer_;
};

}  // namespace

Status RunLstmSteps(OpContext& c, const LstmLayer& layer, ir::ValueId x, ir::ValueId output, ir::ValueId cell,
                    LstmResult* result) {
  const Step step = [&](const StepCall& call, std::vector<ir::ValueId>* states, ir::ValueId* y) {
    MICRORT_RETURN_IF_ERROR(LstmStep(call, layer).Run(&(*states)[0], &(*states)[1]));
    *y = (*states)[0];
    return Status();
  };
  StepsResult steps;
  MICRORT_RETURN_IF_ERROR(RunSteps(c, x, {output, cell}, layer.reverse, step, &steps));
  *result = {steps.y, steps.states[0], steps.states[1]};
  return Status();
}

}  // namespace micrort::frontend::tflite
