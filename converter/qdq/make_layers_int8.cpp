// Convolutions and matrix products whose operands come from int8.

#include <algorithm>

#include "converter/passes/match.h"
#include "converter/qdq/integer_weights.h"
#include "converter/qdq/passes.h"
#include "converter/qdq/quantized_values.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"
#include "converter/quantize/split_activation.h"

namespace micrort::qdq {
namespace {

using passes::Site;
using quantize::Layer;

bool IsSymmetric(const ir::Quantization& q) { return q.zero_points.empty(); }

// The operands of the layer as integers. kNoValue where there is none.
struct Operands {
  ir::ValueId x = ir::kNoValue, weights = ir::kNoValue, bias = ir::kNoValue;
};

std::optional<Operands> WithConstantWeights(const Site& site, const Layer& layer) {
  ir::Graph& graph = site.graph;
  Operands operands;
  operands.x = SourceOf(site, site.node.inputs[Layer::kX]);
  if (operands.x == ir::kNoValue || layer.weights_per_channel > quantize::kMaxInt8Sum) return std::nullopt;
  std::optional<ir::Value> weights = WeightsAsGiven(graph.value(layer.weights), layer.channel_axis);
  if (!weights) return std::nullopt;
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

// A product of two values that are computed.
std::optional<Operands> OfActivations(const Site& site) {
  if (site.node.code != schema::OpCode::MatMul || site.node.has_input(Layer::kBias)) return std::nullopt;
  const int64_t depth = site.input(Layer::kX).shape.back();
  if (depth == ir::kDynamic || depth > quantize::kMaxInt8Sum) return std::nullopt;
  Operands operands;
  operands.x = SourceOf(site, site.node.inputs[Layer::kX]);
  operands.weights = SourceOf(site, site.node.inputs[Layer::kWeights]);
  if (operands.x == ir::kNoValue || operands.weights == ir::kNoValue) return std::nullopt;
  return operands;
}

std::optional<Operands> OperandsOf(const Site& site) {
  const std::optional<Layer> layer = quantize::DescribeLayer(site.graph, site.node);
  return layer ? WithConstantWeights(site, *layer) : OfActivations(site);
}

// The Cast to int32 that alone reads the layer's output, where the floats are the very sums; else null.
ir::Node* CastOfSums(const Site& site, const Operands& operands) {
  ir::Node* reader = site.only_consumer();
  if (reader == nullptr || reader->code != schema::OpCode::Cast ||
      reader->as<schema::CastOptionsT>().reinterpret || site.node.has_input(Layer::kResidual) ||
      passes::HasActivation(site.node) || site.graph.value(reader->outputs[0]).dtype != DType::kInt32) {
    return nullptr;
  }
  const auto is_one = [](float scale) { return scale == 1.0f; };
  for (const ir::ValueId id : {operands.x, operands.weights}) {
    const std::vector<float>& scales = site.graph.value(id).quantization.scales;
    if (!std::all_of(scales.begin(), scales.end(), is_one)) return nullptr;
  }
  return reader;
}

// The Quantize that follows, if the epilogue can do what is between; the residual becomes int8 with the
// output.
ir::Node* QuantizeOfOutput(const Site& site) {
  ir::Node& node = site.node;
  ir::Node* quantize = QuantizeAfter(site, node.outputs[0]);
  if (quantize == nullptr) return nullptr;
  quantize::GiveSlopes(&site.graph, &node);
  if (!quantize::HasIntegerEpilogue(site.graph, node)) return nullptr;
  if (!node.has_input(Layer::kResidual)) return quantize;
  const ir::ValueId residual = SourceOf(site, node.inputs[Layer::kResidual]);
  if (residual == ir::kNoValue) return nullptr;
  node.inputs[Layer::kResidual] = residual;
  return quantize;
}

// The layer gives int8 or its sums where that is what follows, else float.
bool MakeLayerInt8(const Site& site) {
  ir::Node& node = site.node;
  if (!node.has_input(Layer::kWeights) || passes::ActivationOf(node) == nullptr) return false;
  const auto operands = OperandsOf(site);
  if (!operands) return false;
  ir::Node* conversion = CastOfSums(site, *operands);
  if (conversion == nullptr) conversion = QuantizeOfOutput(site);
  node.inputs[Layer::kX] = operands->x;
  node.inputs[Layer::kWeights] = operands->weights;
  if (operands->bias != ir::kNoValue) node.inputs[Layer::kBias] = operands->bias;
  if (conversion != nullptr) TakeOutputOf(conversion, &node);
  return true;
}

// Where the source rounds activations as it runs, weights stay int8 so that the layer can, too.
bool StoreAsGiven(const Site& site) {
  const std::optional<Layer> layer = quantize::DescribeLayer(site.graph, site.node);
  if (!layer) return false;
  const bool rounds = quantize::RoundsActivations(site.node);
  if (!rounds && layer->weights_per_channel < quantize::kMinWeightsPerChannel) return false;
  if (rounds && layer->weights_per_channel > quantize::kMaxInt8Sum)
    quantize::SetWeightCompute(&site.node, schema::WeightCompute::Float);
  std::optional<ir::Value> weights = WeightsAsGiven(site.graph.value(layer->weights), layer->channel_axis);
  if (!weights || !IsSymmetric(weights->quantization)) return false;
  site.node.inputs[Layer::kWeights] = site.graph.AddValue(std::move(*weights));
  return true;
}

bool LeaveFloats(const Site& site) {
  if (!quantize::RoundsActivations(site.node)) return false;
  quantize::SetWeightCompute(&site.node, schema::WeightCompute::Float);
  return true;
}

}  // namespace

Status MakeLayersInt8(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, MakeLayerInt8);
  return Status();
}

Status LeaveActivationsFloat(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, LeaveFloats);
  return Status();
}

Status StoreWeightsAsGiven(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, StoreAsGiven);
  return Status();
}

}  // namespace micrort::qdq
