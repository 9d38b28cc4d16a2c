// Convolutions and matrix products whose operands come from int8.

#include "converter/passes/match.h"
#include "converter/qdq/integer_weights.h"
#include "converter/qdq/passes.h"
#include "converter/qdq/quantized_values.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"

namespace micrort::qdq {
namespace {

using passes::Site;
using quantize::Layer;

bool IsSymmetric(const ir::Quantization& q) { return q.zero_points.empty(); }

// The operands of the layer as integers. kNoValue where there is none.
struct Operands {
  ir::ValueId x = ir::kNoValue, weights = ir::kNoValue, bias = ir::kNoValue;
};

std::optional<Operands> WithConstantWeights(const Site& site) {
  ir::Graph& graph = site.graph;
  const std::optional<Layer> layer = quantize::DescribeLayer(graph, site.node);
  if (!layer || layer->weights_per_channel > quantize::kMaxInt8Sum) return std::nullopt;
  Operands operands;
  operands.x = SourceOf(site, site.node.inputs[Layer::kX]);
  if (operands.x == ir::kNoValue) return std::nullopt;
  std::optional<ir::Value> weights = WeightsAsGiven(graph.value(layer->weights), layer->channel_axis);
  if (!weights || !IsSymmetric(weights->quantization)) return std::nullopt;
  if (site.node.has_input(Layer::kBias)) {
    const ir::Value bias = site.input(Layer::kBias);
    const auto integers =
        IntegerBias(bias, graph.value(operands.x).quantization.scales[0], weights->quantization);
    if (!integers) return std::nullopt;
    operands.bias = graph.AddConstantOf<int32_t>(bias.name, bias.shape, *integers);
  }
  operands.weights = graph.AddValue(std::move(*weights));
  return operands;
}

// The layer gives int8 where a Quantize follows and its epilogue can do what is between; else float.
bool MakeLayerInt8(const Site& site) {
  const auto operands = WithConstantWeights(site);
  if (!operands) return false;
  ir::Node& node = site.node;
  ir::Node* quantize = QuantizeAfter(site, node.outputs[0]);
  if (!quantize::IsClamp(*passes::ActivationOf(node))) quantize = nullptr;
  if (node.has_input(Layer::kResidual) && quantize != nullptr) {
    const ir::ValueId residual = SourceOf(site, node.inputs[Layer::kResidual]);
    if (residual == ir::kNoValue) {
      quantize = nullptr;
    } else {
      node.inputs[Layer::kResidual] = residual;
    }
  }
  node.inputs[Layer::kX] = operands->x;
  node.inputs[Layer::kWeights] = operands->weights;
  if (operands->bias != ir::kNoValue) node.inputs[Layer::kBias] = operands->bias;
  if (quantize != nullptr) WriteQuantized(&node, quantize);
  return true;
}

bool StoreAsGiven(const Site& site) {
  const std::optional<Layer> layer = quantize::DescribeLayer(site.graph, site.node);
  if (!layer || layer->weights_per_channel < quantize::kMinWeightsPerChannel) return false;
  std::optional<ir::Value> weights = WeightsAsGiven(site.graph.value(layer->weights), layer->channel_axis);
  if (!weights || !IsSymmetric(weights->quantization)) return false;
  site.node.inputs[Layer::kWeights] = site.graph.AddValue(std::move(*weights));
  quantize::SetWeightCompute(&site.node, schema::WeightCompute::Float);
  return true;
}

}  // namespace

Status MakeLayersInt8(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, MakeLayerInt8);
  return Status();
}

Status StoreWeightsAsGiven(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, StoreAsGiven);
  return Status();
}

}  // namespace micrort::qdq
