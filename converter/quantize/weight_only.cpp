#include "converter/quantize/weight_only.h"

#include <cmath>
#include <cstdio>

#include "converter/quantize/int4_weights.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"
#include "converter/quantize/quantized_weights.h"
#include "converter/quantize/spectra.h"

namespace micrort::quantize {
namespace {

std::string WhyNotDynamic(const ir::Node& node, const Layer& layer) {
  if (node.code == schema::OpCode::ConvTranspose2D) return "transposed convolution";
  if (node.code == schema::OpCode::Recurrent) return "recurrent";
  if (layer.weights_per_channel > kMaxInt8Sum) return "sums too long for 32 bits";
  if (layer.multiply_adds < kMinWorkPerDynamicActivation * layer.activations) {
    return "too few multiply-adds to pay for quantizing its input";
  }
  return "";
}

std::string StoreAsHalf(ir::Graph* graph, ir::Node* node, const Layer& layer) {
  std::optional<ir::Value> half = ToHalf(graph->value(layer.weights));
  if (!half) return "a weight is over float16's largest value, 65504";
  node->inputs[Layer::kWeights] = graph->AddValue(std::move(*half));
  return "";
}

std::vector<float> Int8Scales(const ir::Value& weights, const Layer& layer, const Repair& repair) {
  return repair.weight_ranges ? LeastSquaresScales(weights, layer.channel_axis)
                              : SymmetricScales(LargestPerChannel(weights, layer.channel_axis));
}

// "" where int8 holds the weights well enough.
std::string WhyTooCoarse(const ir::Value& weights, const Layer& layer, const Repair& repair) {
  const double snr = Int8WeightSnr(weights, layer.channel_axis, Int8Scales(weights, layer, repair));
  if (!(snr < kLeastWeightSnr)) return "";
  char text[96];
  std::snprintf(text, sizeof text, "half: outliers would leave the other weights %.0f dB in int8", snr);
  return text;
}

std::string StoreAsInt8(ir::Graph* graph, ir::Node* node, const Layer& layer, const Repair& repair) {
  if (layer.weights_per_channel < kMinWeightsPerChannel)
    return "a scale a channel would take the bytes saved";
  const ir::Value& weights = graph->value(layer.weights);
  const std::vector<float> largest = LargestPerChannel(weights, layer.channel_axis);
  for (const float x : largest) {
    if (!std::isfinite(x)) return "weights are not finite";
  }
  const std::vector<float> scales = Int8Scales(weights, layer, repair);
  const auto quantize = repair.balance ? QuantizeBalanced : QuantizePerChannel;
  node->inputs[Layer::kWeights] = graph->AddValue(quantize(weights, layer.channel_axis, scales));
  SetWeightCompute(node, schema::WeightCompute::Float);
  return "";
}

// Layers that int4 cannot hold still get smaller.
std::string StoreAsInt4OrInt8(ir::Graph* graph, ir::Node* node, const Layer& layer, const Repair& repair) {
  const std::string why = StoreAsInt4(graph, node, layer, repair);
  if (why.empty()) return "";
  const std::string why_float = StoreAsInt8(graph, node, layer, repair);
  return why_float.empty() ? "int8 weights: " + why : why_float;
}

std::string MakeLayer(ir::Graph* graph, ir::Node* node, const Layer& layer, LayerType type,
                      const Repair& repair) {
  return type == LayerType::kInt8 ? StoreDynamic(graph, node, layer, repair)
                                  : StoreLayer(graph, node, layer, type, repair);
}

bool IsInteger(LayerType type) { return type != LayerType::kFloat32 && type != LayerType::kFloat16; }

}  // namespace

std::string WhyHalf(const ir::Graph& graph, const ir::Node& node, const Layer& layer, LayerType type,
                    const Spectra& spectra, const Repair& repair) {
  if (!IsInteger(type)) return "";
  if (const auto it = spectra.find(&node); it != spectra.end()) return it->second;
  if (type == LayerType::kInt4Weights || layer.weights_per_channel < kMinWeightsPerChannel) return "";
  return WhyTooCoarse(graph.value(layer.weights), layer, repair);
}

std::string StoreLayer(ir::Graph* graph, ir::Node* node, const Layer& layer, LayerType type,
                       const Repair& repair) {
  switch (type) {
    case LayerType::kFloat32:
      return "";
    case LayerType::kFloat16:
      return StoreAsHalf(graph, node, layer);
    case LayerType::kInt8:
    case LayerType::kInt8Weights:
      return StoreAsInt8(graph, node, layer, repair);
    case LayerType::kInt4Weights:
      return StoreAsInt4OrInt8(graph, node, layer, repair);
  }
  return "";
}

std::string StoreDynamic(ir::Graph* graph, ir::Node* node, const Layer& layer, const Repair& repair) {
  std::string reason = StoreAsInt8(graph, node, layer, repair);
  if (!reason.empty()) return reason;
  reason = WhyNotDynamic(*node, layer);
  if (reason.empty()) SetWeightCompute(node, schema::WeightCompute::DynamicInt8);
  return reason;
}

void StoreWeights(ir::Graph* graph, LayerType asked, const LayerTypes& exceptions, const Repair& repair,
                  Report* report) {
  const Spectra spectra = LayersAroundSpectra(*graph);
  for (const auto& node : graph->nodes) {
    for (const auto& body : node->bodies) StoreWeights(body.get(), asked, exceptions, repair, report);
    const std::optional<Layer> layer = DescribeLayer(*graph, *node);
    if (!layer) continue;
    ++report->layers;
    const auto exception = exceptions.find(node->name);
    const bool is_exception = exception != exceptions.end();
    LayerType type = is_exception ? exception->second : asked;
    const std::string half = is_exception ? "" : WhyHalf(*graph, *node, *layer, asked, spectra, repair);
    if (!half.empty()) type = LayerType::kFloat16;
    std::string reason = MakeLayer(graph, node.get(), *layer, type, repair);
    if (reason.empty() && type != asked) reason = half.empty() ? AsAsked(type) : half;
    if (reason.empty()) {
      ++report->quantized;
    } else {
      report->exceptions.push_back({node->name, schema::EnumNameOpCode(node->code), reason});
    }
  }
}

}  // namespace micrort::quantize
