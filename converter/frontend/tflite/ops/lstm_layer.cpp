#include "converter/frontend/tflite/ops/lstm_layer.h"

#include <limits>
#include <memory>

#include "converter/frontend/tflite/ops/bias.h"
#include "converter/frontend/tflite/ops/dims.h"

namespace micrort::frontend::tflite {

namespace {

using schema::BinaryKind;

Status ReadGate(OpContext& c, size_t k, LstmGate* gate) {
  constexpr size_t kWeights = 1, kRecurrent = 5, kBias = 12, kNorm = 20;
  gate->weights = c.input(kWeights + k);
  gate->recurrent = c.input(kRecurrent + k);
  gate->norm = c.input(kNorm + k);
  if (!c.has_input(kBias + k)) return Status();
  return ReadBias(c, kBias + k, 0, kWeights + k, &gate->bias);
}

Status CheckGate(OpContext& c, const LstmGate& gate, int64_t hidden, const char* name) {
  if (gate.weights == ir::kNoValue || gate.recurrent == ir::kNoValue || gate.bias == ir::kNoValue)
    return MICRORT_ERROR(kInvalidModel, "weights or bias of the %s gate are absent", name);
  const ir::Value &w = c.value(gate.weights), &r = c.value(gate.recurrent);
  if (w.rank() == 2 && r.rank() == 2 && w.shape[0] == hidden && r.shape[0] == hidden) return Status();
  return MICRORT_ERROR(kInvalidModel, "the %s gate: expected matrices of %lld rows", name,
                       static_cast<long long>(hidden));
}

ir::ValueId Negated(OpContext& c, ir::ValueId x) { return c.build.Unary(schema::UnaryKind::Neg, x); }

// i of coupled gates is 1 - f, which is the sigmoid of what f has, negated.
LstmGate InputGateOf(OpContext& c, const LstmLayer& layer) {
  if (!layer.couples_gates()) return layer.input;
  LstmGate gate = layer.forget;
  gate.weights = Negated(c, gate.weights);
  gate.recurrent = Negated(c, gate.recurrent);
  gate.bias = Negated(c, gate.bias);
  if (gate.peephole != ir::kNoValue) gate.peephole = Negated(c, gate.peephole);
  return gate;
}

std::unique_ptr<schema::RecurrentActivationT> Kind(schema::UnaryKind kind, float a = 0, float b = 0) {
  auto activation = std::make_unique<schema::RecurrentActivationT>();
  activation->kind = kind;
  activation->a = a;
  activation->b = b;
  return activation;
}

Status CellActivation(fb::ActivationFunctionType fused, std::unique_ptr<schema::RecurrentActivationT>* out) {
  constexpr float kNoUpperLimit = std::numeric_limits<float>::infinity();
  switch (fused) {
    case fb::ActivationFunctionType::Tanh:
      *out = Kind(schema::UnaryKind::Tanh);
      return Status();
    case fb::ActivationFunctionType::Relu:
      *out = Kind(schema::UnaryKind::Clip, 0, kNoUpperLimit);
      return Status();
    case fb::ActivationFunctionType::Relu6:
      *out = Kind(schema::UnaryKind::Clip, 0, 6);
      return Status();
    case fb::ActivationFunctionType::None:
      *out = Kind(schema::UnaryKind::Identity);
      return Status();
    default:
      return MICRORT_ERROR(kUnsupported, "the activation %s of an LSTM",
                           fb::EnumNameActivationFunctionType(fused));
  }
}

}  // namespace

Status ReadLstm(OpContext& c, const fb::UnidirectionalSequenceLSTMOptionsT& options, LstmLayer* out) {
  MICRORT_RETURN_IF_ERROR(ReadGate(c, 0, &out->input));
  MICRORT_RETURN_IF_ERROR(ReadGate(c, 1, &out->forget));
  MICRORT_RETURN_IF_ERROR(ReadGate(c, 2, &out->cell));
  MICRORT_RETURN_IF_ERROR(ReadGate(c, 3, &out->output));
  out->input.peephole = c.input(9);
  out->forget.peephole = c.input(10);
  out->output.peephole = c.input(11);
  out->projection = c.input(16);
  if (c.has_input(17)) MICRORT_RETURN_IF_ERROR(ReadBias(c, 17, 18, 16, &out->projection_bias));
  out->cell_clip = options.cell_clip;
  out->projection_clip = options.proj_clip;
  out->activation = options.fused_activation_function;
  if (options.diagonal_recurrent_tensors) return MICRORT_ERROR(kUnsupported, "diagonal recurrent weights");
  if (out->forget.weights == ir::kNoValue || c.value(out->forget.weights).rank() != 2)
    return MICRORT_ERROR(kInvalidModel, "weights of the forget gate: expected a matrix");
  out->hidden = c.value(out->forget.weights).shape[0];
  if (out->hidden == ir::kDynamic) return MICRORT_ERROR(kUnsupported, "weights whose shape is not fixed");
  if (!out->couples_gates()) MICRORT_RETURN_IF_ERROR(CheckGate(c, out->input, out->hidden, "input"));
  MICRORT_RETURN_IF_ERROR(CheckGate(c, out->forget, out->hidden, "forget"));
  MICRORT_RETURN_IF_ERROR(CheckGate(c, out->cell, out->hidden, "cell"));
  return CheckGate(c, out->output, out->hidden, "output");
}

Status RunLstm(OpContext& c, const LstmLayer& layer, ir::ValueId x, ir::ValueId output, ir::ValueId cell,
               LstmResult* result) {
  if (!layer.IsPlain()) return UnrollLstm(c, layer, x, output, cell, result);
  const LstmGate input = InputGateOf(c, layer);
  const auto joined = [&](ir::ValueId LstmGate::*part) {
    return c.build.Concat({input.*part, layer.output.*part, layer.forget.*part, layer.cell.*part}, 0);
  };
  schema::MatMulOptionsT product;
  product.transpose_b = true;
  const ir::ValueId gates =
      c.build.Add(std::move(product), {x, joined(&LstmGate::weights), joined(&LstmGate::bias)});
  schema::RecurrentOptionsT options;
  options.kind = schema::RecurrentKind::Lstm;
  options.activations.push_back(Kind(schema::UnaryKind::Sigmoid));
  for (int i = 0; i < 2; ++i) {
    options.activations.emplace_back();
    MICRORT_RETURN_IF_ERROR(CellActivation(layer.activation, &options.activations.back()));
  }
  std::vector<ir::ValueId> inputs = {gates, joined(&LstmGate::recurrent), ir::kNoValue, ir::kNoValue, output,
                                     cell};
  if (layer.forget.peephole != ir::kNoValue)
    inputs.push_back(c.build.Concat({input.peephole, layer.output.peephole, layer.forget.peephole}, 0));
  const std::vector<ir::ValueId> all = c.build.AddMany(std::move(options), std::move(inputs), 3);
  *result = {all[0], all[1], all[2]};
  return c.build.status();
}

}  // namespace micrort::frontend::tflite
