#include "converter/frontend/tflite/ops/rnn_layer.h"

#include "converter/frontend/tflite/ops/bias.h"
#include "converter/frontend/tflite/ops/hybrid.h"
#include "converter/frontend/tflite/ops/sequence.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

Status RunStatefulRnn(OpContext& c, const RnnInputs& inputs, ir::ValueId x, const RnnOptions& stated,
                      ir::ValueId* y) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(inputs.weights, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(inputs.recurrent, 2));
  ir::ValueId state = ir::kNoValue, bias = ir::kNoValue, weights = LayerWeights(c, 0, inputs.weights);
  MICRORT_RETURN_IF_ERROR(c.ReadVariable(inputs.state, &state));
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

}  // namespace micrort::frontend::tflite
