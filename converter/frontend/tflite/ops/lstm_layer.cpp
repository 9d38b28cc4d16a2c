#include "converter/frontend/tflite/ops/lstm_layer.h"

#include "converter/frontend/tflite/ops/hybrid.h"
#include "converter/frontend/tflite/ops/rnn_layer.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

namespace {

Status ReadGate(OpContext& c, const LstmInputs& inputs, size_t k, LstmGate* gate) {
  gate->weights = LayerWeights(c, 0, inputs.weights + k);
  gate->recurrent = LayerWeights(c, 0, inputs.recurrent + k);
  if (inputs.norm != 0) gate->norm = c.input(inputs.norm + k);
  // The auxiliary input's features come after the others.
  if (inputs.auxiliary != 0 && gate->weights != ir::kNoValue && c.op.has_input(inputs.auxiliary + k))
    gate->weights = c.build.Concat({gate->weights, LayerWeights(c, 0, inputs.auxiliary + k)}, 1);
  if (!c.op.has_input(inputs.bias + k)) return Status();
  return Take(ReadBias(c, inputs.bias + k, 0, inputs.weights + k), &gate->bias);
}

Status CheckGate(OpContext& c, const LstmGate& gate, int64_t hidden, const char* name) {
  if (gate.weights == ir::kNoValue || gate.recurrent == ir::kNoValue || gate.bias == ir::kNoValue)
    return Invalid("weights or bias of the {} gate are absent", name);
  const ir::Value &w = c.value(gate.weights), &r = c.value(gate.recurrent);
  if (w.rank() == 2 && r.rank() == 2 && w.shape[0] == hidden && r.shape[0] == hidden) return Status();
  return Invalid("the {} gate: expected matrices of {} rows", name, hidden);
}

// i of coupled gates is 1 - f, which is the sigmoid of what f has, negated.
LstmGate InputGateOf(OpContext& c, const LstmLayer& layer) {
  if (!layer.couples_gates()) return layer.input;
  LstmGate gate = layer.forget;
  gate.weights = c.build.Neg(gate.weights);
  gate.recurrent = c.build.Neg(gate.recurrent);
  gate.bias = c.build.Neg(gate.bias);
  if (gate.peephole != ir::kNoValue) gate.peephole = c.build.Neg(gate.peephole);
  return gate;
}

}  // namespace

Status ReadLstm(OpContext& c, const LstmInputs& inputs, const LstmOptions& options, LstmLayer* out) {
  MICRORT_RETURN_IF_ERROR(ReadGate(c, inputs, 0, &out->input));
  MICRORT_RETURN_IF_ERROR(ReadGate(c, inputs, 1, &out->forget));
  MICRORT_RETURN_IF_ERROR(ReadGate(c, inputs, 2, &out->cell));
  MICRORT_RETURN_IF_ERROR(ReadGate(c, inputs, 3, &out->output));
  out->input.peephole = c.input(inputs.peephole);
  out->forget.peephole = c.input(inputs.peephole + 1);
  out->output.peephole = c.input(inputs.peephole + 2);
  out->projection = LayerWeights(c, 0, inputs.projection);
  out->compute = HybridCompute(c, 0, inputs.weights + 1, options.asymmetric);
  if (c.op.has_input(inputs.projection_bias)) {
    MICRORT_ASSIGN_OR_RETURN(out->projection_bias,
                             ReadBias(c, inputs.projection_bias, inputs.output_state, inputs.projection));
  }
  out->cell_clip = options.cell_clip;
  out->projection_clip = options.projection_clip;
  out->activation = options.activation;
  if (out->forget.weights == ir::kNoValue || c.value(out->forget.weights).rank() != 2)
    return Invalid("weights of the forget gate: expected a matrix");
  out->hidden = c.value(out->forget.weights).dim(0);
  if (out->hidden == ir::kDynamic) return Unsupported("weights whose shape is not fixed");
  if (!out->couples_gates()) MICRORT_RETURN_IF_ERROR(CheckGate(c, out->input, out->hidden, "input"));
  MICRORT_RETURN_IF_ERROR(CheckGate(c, out->forget, out->hidden, "forget"));
  MICRORT_RETURN_IF_ERROR(CheckGate(c, out->cell, out->hidden, "cell"));
  return CheckGate(c, out->output, out->hidden, "output");
}

Status RunLstm(OpContext& c, const LstmLayer& layer, ir::ValueId x, ir::ValueId output, ir::ValueId cell,
               LstmResult* result) {
  if (!layer.IsPlain()) return RunLstmSteps(c, layer, x, output, cell, result);
  const LstmGate input = InputGateOf(c, layer);
  const auto joined = [&](ir::ValueId LstmGate::*part) {
    return c.build.Concat({input.*part, layer.output.*part, layer.forget.*part, layer.cell.*part}, 0);
  };
  schema::MatMulOptionsT product;
  product.transpose_b = true;
  product.compute = layer.compute;
  const ir::ValueId gates =
      c.build.Add(std::move(product), {x, joined(&LstmGate::weights), joined(&LstmGate::bias)});
  schema::RecurrentOptionsT options;
  options.kind = schema::RecurrentKind::Lstm;
  options.reverse = layer.reverse;
  options.compute = layer.compute;
  options.activations.push_back(RecurrentActivation(schema::UnaryKind::Sigmoid));
  for (int i = 0; i < 2; ++i) {
    options.activations.emplace_back();
    MICRORT_ASSIGN_OR_RETURN(options.activations.back(), RecurrentActivationOf(layer.activation));
  }
  std::vector<ir::ValueId> inputs = {gates, joined(&LstmGate::recurrent), ir::kNoValue, ir::kNoValue, output,
                                     cell};
  if (layer.forget.peephole != ir::kNoValue)
    inputs.push_back(c.build.Concat({input.peephole, layer.output.peephole, layer.forget.peephole}, 0));
  const std::vector<ir::ValueId> all = c.build.AddMany(std::move(options), std::move(inputs), 3);
  *result = {all[0], all[1], all[2]};
  return c.build.status();
}

Result<ir::ValueId> RunStatefulLstm(OpContext& c, const LstmLayer& layer, const LstmInputs& inputs,
                                    ir::ValueId x) {
  const size_t output = inputs.output_state, cell = inputs.cell_state;
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId first_output, c.ReadVariable(output));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId first_cell, c.ReadVariable(cell));
  LstmResult result = {};
  MICRORT_RETURN_IF_ERROR(RunLstm(c, layer, x, first_output, first_cell, &result));
  MICRORT_RETURN_IF_ERROR(c.AssignVariable(output, result.last_output));
  MICRORT_RETURN_IF_ERROR(c.AssignVariable(cell, result.last_cell));
  return result.steps;
}

}  // namespace micrort::frontend::tflite
