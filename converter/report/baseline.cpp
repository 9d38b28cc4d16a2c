#include "converter/report/baseline.h"

#include "converter/cost/node_cost.h"
#include "converter/quantize/layer.h"

namespace micrort::report {

Status MeasureBaseline(const ir::Graph& graph, const AlignedBytes& file, const Device& device,
                       const observe::Sample* sample, Baseline* baseline) {
  for (const auto& node : graph.nodes) {
    Baseline::Node& of_name = baseline->nodes[node->name];
    const double microseconds = cost::NodeMicroseconds(graph, *node, device.features);
    of_name.microseconds += microseconds;
    baseline->microseconds += microseconds;
    if (const std::optional<quantize::Layer> layer = quantize::DescribeLayer(graph, *node)) {
      const ir::Value& weights = graph.value(layer->weights);
      of_name.weights = BarsOf(weights.as<float>(), static_cast<size_t>(weights.elements()));
    }
  }
  for (const ir::ValueId input : graph.inputs)
    baseline->summary.is_dynamic |= !graph.value(input).is_static();
  return MeasureFile(file, device, sample, &baseline->summary);
}

}  // namespace micrort::report
