#include "converter/quantize/static_int8.h"

#include "converter/quantize/int8_plan.h"
#include "converter/quantize/int8_rewrite.h"
#include "converter/quantize/value_quantization.h"
#include "converter/quantize/weight_only.h"

namespace micrort::quantize {
namespace {

// What computes in float can still have small weights.
void StoreFloatLayersAsInt8(ir::Graph* graph) {
  for (const auto& node : graph->nodes) {
    for (const auto& body : node->bodies) StoreFloatLayersAsInt8(body.get());
    const std::optional<Layer> layer = DescribeLayer(*graph, *node);
    if (layer) StoreLayerAsInt8(graph, node.get(), *layer);
  }
}

// Calibration does not look into bodies, so there are no ranges for what is in them.
void ReportLayersInBodies(const ir::Graph& graph, Report* report) {
  for (const auto& body : ir::BodiesIn(graph)) {
    for (const auto& node : body->nodes) {
      if (!DescribeLayer(*body, *node)) continue;
      ++report->layers;
      report->exceptions.push_back({node->name, schema::EnumNameOpCode(node->code), "inside If or Loop"});
    }
  }
}

}  // namespace

void QuantizeStatically(ir::Graph* graph, const observe::Ranges& ranges, Report* report) {
  const Int8Plan plan = PlanInt8(*graph, ranges, report);
  RewriteToInt8(graph, plan, AssignQuantization(*graph, ranges, plan));
  StoreFloatLayersAsInt8(graph);
  ReportLayersInBodies(*graph, report);
}

}  // namespace micrort::quantize
