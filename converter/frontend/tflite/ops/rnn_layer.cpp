#include "converter/frontend/tflite/ops/rnn_layer.h"

#include <limits>

#include "converter/frontend/tflite/ops/hybrid.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

Status RunStatefulRnn(OpContext& c, const RnnInputs& inputs, ir::ValueId x, const RnnOptions& stated,
                      ir::ValueId* y) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(inputs.weights, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(inputs.recurrent, 2));
  ir::ValueId state = ir::kNoValue, bias = ir::kNoValue, weights = LayerWeights(c, 0, inputs.weights);
  MICRORT_ASSIGN_OR_RETURN(state, c.ReadVariable(inputs.state));
  MICRORT_ASSIGN_OR_RETURN(bias, ReadBias(c, inputs.bias, 0, inputs.weights));
  if (inputs.auxiliary != 0 && c.op.has_input(inputs.auxiliary))
    weights = c.build.Concat({weights, LayerWeights(c, 0, inputs.auxiliary)}, 1);
  schema::RecurrentOptionsT options;
  options.kind = schema::RecurrentKind::Rnn;
  options.reverse = stated.reverse;
  options.compute = HybridCompute(c, 0, inputs.weights, stated.asymmetric);
  options.activations.emplace_back();
  MICRORT_ASSIGN_OR_RETURN(options.activations.back(), RecurrentActivationOf(stated.activation));
  schema::MatMulOptionsT product;
  product.transpose_b = true;
  product.compute = options.compute;
  const ir::ValueId sums = c.build.Add(std::move(product), {x, weights, bias});
  const std::vector<ir::ValueId> all = c.build.AddMany(
      std::move(options), {sums, LayerWeights(c, 0, inputs.recurrent), ir::kNoValue, ir::kNoValue, state}, 2);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  *y = all[0];
  return c.AssignVariable(inputs.state, all[1]);
}

ir::ValueId TimeFirst(OpContext& c, ir::ValueId x, bool time_major) {
  return time_major ? x : c.build.Transpose(x, {1, 0, 2});
}

std::unique_ptr<schema::RecurrentActivationT> RecurrentActivation(schema::UnaryKind kind, float a, float b) {
  auto activation = std::make_unique<schema::RecurrentActivationT>();
  activation->kind = kind;
  activation->a = a;
  activation->b = b;
  return activation;
}

Result<std::unique_ptr<schema::RecurrentActivationT>> RecurrentActivationOf(
    fb::ActivationFunctionType fused) {
  constexpr float kNoUpperLimit = std::numeric_limits<float>::infinity();
  switch (fused) {
    case fb::ActivationFunctionType::Tanh:
      return RecurrentActivation(schema::UnaryKind::Tanh);
    case fb::ActivationFunctionType::Relu:
      return RecurrentActivation(schema::UnaryKind::Clip, 0, kNoUpperLimit);
    case fb::ActivationFunctionType::Relu6:
      return RecurrentActivation(schema::UnaryKind::Clip, 0, 6);
    case fb::ActivationFunctionType::None:
      return RecurrentActivation(schema::UnaryKind::Identity);
    default:
      return Unsupported("the activation {} of a recurrent layer", fb::EnumNameActivationFunctionType(fused));
  }
}

}  // namespace micrort::frontend::tflite
