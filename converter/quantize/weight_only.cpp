#include "converter/quantize/weight_only.h"

#include <cmath>

#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"
#include "converter/quantize/quantized_weights.h"

namespace micrort::quantize {
namespace {

// Calls quantize(graph, node, layer) for every layer, in bodies too; it returns why the layer is an
// exception, or "".
template <typename F>
void ForEachLayer(ir::Graph* graph, Report* report, const F& quantize) {
  for (const auto& node : graph->nodes) {
    for (const auto& body : node->bodies) ForEachLayer(body.get(), report, quantize);
    const std::optional<Layer> layer = DescribeLayer(*graph, *node);
    if (!layer) continue;
    ++report->layers;
    const std::string reason = quantize(graph, node.get(), *layer);
    if (reason.empty()) {
      ++report->quantized;
    } else {
      report->exceptions.push_back({node->name, schema::EnumNameOpCode(node->code), reason});
    }
  }
}

std::string WhyNotDynamic(const ir::Node& node, const Layer& layer) {
  if (node.code == schema::OpCode::ConvTranspose2D) return "transposed convolution";
  if (node.code == schema::OpCode::Recurrent) return "recurrent";
  if (layer.weights_per_channel > kMaxInt8Sum) return "sums too long for 32 bits";
  if (layer.multiply_adds < kMinWorkPerDynamicActivation * layer.activations) {
    return "too few multiply-adds to pay for quantizing its input";
  }
  return "";
}

}  // namespace

std::string StoreLayerAsInt8(ir::Graph* graph, ir::Node* node, const Layer& layer) {
  if (layer.weights_per_channel < kMinWeightsPerChannel)
    return "a scale a channel would take the bytes saved";
  const ir::Value& weights = graph->value(layer.weights);
  const std::vector<float> largest = LargestPerChannel(weights, layer.channel_axis);
  for (const float x : largest) {
    if (!std::isfinite(x)) return "weights are not finite";
  }
  node->inputs[Layer::kWeights] =
      graph->AddValue(QuantizePerChannel(weights, layer.channel_axis, SymmetricScales(largest)));
  return "";
}

void StoreWeightsAsHalf(ir::Graph* entry, Report* report) {
  ForEachLayer(entry, report, [](ir::Graph* graph, ir::Node* node, const Layer& layer) -> std::string {
    std::optional<ir::Value> half = ToHalf(graph->value(layer.weights));
    if (!half) return "a weight is over float16's largest value, 65504";
    node->inputs[Layer::kWeights] = graph->AddValue(std::move(*half));
    return "";
  });
}

void StoreWeightsAsInt8(ir::Graph* entry, Report* report) {
  ForEachLayer(entry, report, [](ir::Graph* graph, ir::Node* node, const Layer& layer) {
    SetWeightCompute(node, schema::WeightCompute::Float);
    return StoreLayerAsInt8(graph, node, layer);
  });
}

void QuantizeDynamically(ir::Graph* entry, Report* report) {
  ForEachLayer(entry, report, [](ir::Graph* graph, ir::Node* node, const Layer& layer) {
    std::string reason = StoreLayerAsInt8(graph, node, layer);
    if (!reason.empty()) return reason;
    reason = WhyNotDynamic(*node, layer);
    SetWeightCompute(node,
                     reason.empty() ? schema::WeightCompute::DynamicInt8 : schema::WeightCompute::Float);
    return reason;
  });
}

}  // namespace micrort::quantize
