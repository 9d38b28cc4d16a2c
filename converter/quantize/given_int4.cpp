#include "converter/quantize/given_int4.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "converter/quantize/int4_weights.h"
#include "converter/quantize/spectra.h"
#include "converter/quantize/weight_only.h"
#include "kernels/base/checked_math.h"
#include "kernels/base/half.h"
#include "kernels/base/int4.h"

namespace micrort::quantize {
namespace {

// The integer that a weight was, if it is one of 4 bits.
std::optional<int8_t> IntegerOf(float weight, float scale, int32_t zero_point) {
  const float steps = std::nearbyint(weight / scale);
  const float q = steps + static_cast<float>(zero_point);
  if (!(q >= -kMaxInt4 - 1 && q <= kMaxInt4) || steps * scale != weight) return std::nullopt;
  return static_cast<int8_t>(q);
}

}  // namespace

std::optional<GivenInt4> Int4AsGiven(const ir::Value& weights, const Layer& layer,
                                     const std::vector<float>& rows) {
  const ir::Quantization& grid = weights.source_quantization;
  if (grid.group <= 0 || grid.axis != layer.channel_axis) return std::nullopt;
  const auto depth = static_cast<size_t>(layer.weights_per_channel), group = static_cast<size_t>(grid.group),
             groups = CeilDiv(depth, group);
  if (grid.scales.size() != static_cast<size_t>(layer.channels) * groups) return std::nullopt;
  GivenInt4 given;
  given.quantization = grid;
  given.quantization.axis = 0;
  given.integers.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t at = i / depth * groups + i % depth / group;
    const int32_t zero_point = grid.zero_points.empty() ? 0 : grid.zero_points[at];
    const std::optional<int8_t> integer = IntegerOf(rows[i], grid.scales[at], zero_point);
    if (!integer) return std::nullopt;
    given.integers.push_back(*integer);
  }
  return given;
}

namespace {

void StoreGivenIn(ir::Graph* graph, bool dynamic_inputs, GivenLayers* layers) {
  const Spectra spectra = dynamic_inputs ? LayersAroundSpectra(*graph) : Spectra();
  StoredWeights stored;
  WeightCorrection tools;
  tools.stored = &stored;
  tools.given_only = true;
  for (const auto& node : graph->nodes) {
    const std::optional<Layer> layer = DescribeLayer(*graph, *node);
    if (!layer || graph->value(layer->weights).source_quantization.group <= 0) continue;
    tools.dynamic_inputs =
        dynamic_inputs && spectra.count(node.get()) == 0 && WhyNotDynamic(*node, *layer, tools).empty();
    std::optional<double> noise;
    if (!StoreAsInt4(graph, node.get(), *layer, tools, &noise).empty()) continue;
    ++layers->kept;
    if (!tools.dynamic_inputs) continue;
    SetWeightCompute(node.get(), DynamicComputeOfInt4(*graph, *node));
    ++layers->in_integers;
  }
}

// Adds whether they have a scale that no half holds. Layers may share weights.
void AddInt4Constants(const ir::Graph& graph, std::map<const ir::Bytes*, bool>* has_floats) {
  for (const auto& node : graph.nodes) {
    for (const ir::ValueId id : node->inputs) {
      if (id == ir::kNoValue || graph.value(id).dtype != DType::kInt4) continue;
      const auto [place, is_new] = has_floats->emplace(graph.value(id).data.get(), false);
      const std::vector<float>& scales = graph.value(id).quantization.scales;
      if (is_new) place->second = !std::all_of(scales.begin(), scales.end(), IsHalf);
    }
  }
}

}  // namespace

int CountFloatScales(const ir::Graph& graph) {
  std::map<const ir::Bytes*, bool> has_floats;
  for (const auto& body : ir::BodiesIn(graph)) AddInt4Constants(*body, &has_floats);
  AddInt4Constants(graph, &has_floats);
  return static_cast<int>(std::count_if(has_floats.begin(), has_floats.end(),
                                        [](const auto& constant) { return constant.second; }));
}

GivenLayers StoreGivenInt4(ir::Graph* graph, bool dynamic_inputs) {
  GivenLayers layers;
  for (const auto& body : ir::BodiesIn(*graph)) StoreGivenIn(body.get(), dynamic_inputs, &layers);
  StoreGivenIn(graph, dynamic_inputs, &layers);
  return layers;
}

}  // namespace micrort::quantize
