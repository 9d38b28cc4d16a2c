#include "converter/quantize/static_int8.h"

#include "converter/quantize/int16_rewrite.h"
#include "converter/quantize/int16_roles.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/int8_rewrite.h"
#include "converter/quantize/recurrent_inputs.h"
#include "converter/quantize/tables.h"
#include "converter/quantize/value_quantization.h"
#include "converter/quantize/weight_only.h"

namespace micrort::quantize {
namespace {

// What has no known ranges can still have small weights, or quantize its input as it runs: those of
// `dynamic`.
void StoreOtherLayers(ir::Graph* graph, const std::set<const ir::Node*>& dynamic,
                      const LayerTypes& exceptions, WeightCorrection tools, Report* report) {
  StoredWeights stored;
  tools.stored = &stored;
  const Spectra spectra = LayersAroundSpectra(*graph);
  for (const auto& node : graph->nodes) {
    for (const auto& body : node->bodies) {
      const std::vector<Table> tables = FindTables(*body);
      StoreOtherLayers(body.get(), {}, exceptions, {tools.correction}, report);
      StoreTables(body.get(), tables, LayerType::kInt8Weights, exceptions, {tools.correction}, report);
    }
    const std::optional<Layer> layer = DescribeLayer(*graph, *node);
    if (!layer) continue;
    const auto exception = exceptions.find(node->name);
    LayerType type = LayerType::kInt8Weights;
    if (exception != exceptions.end()) {
      type = exception->second;
    } else if (!WhyHalf(*graph, *node, *layer, type, spectra, tools).empty()) {
      type = LayerType::kFloat16;
    } else if (dynamic.count(node.get()) != 0) {
      StoreDynamic(graph, node.get(), *layer, tools);
      continue;
    }
    StoreLayer(graph, node.get(), *layer, type, tools);
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

// Takes nodes out of the plan that cannot have the scales they were given. Whether there were any.
bool DropMisfits(const ir::Graph& graph, const Quantizations& quantization, NarrowPlan* plan,
                 Report* report) {
  bool dropped = false;
  for (const auto& node : graph.nodes) {
    const auto planned = plan->find(node.get());
    if (planned == plan->end()) continue;
    const std::string why = WhyNotInt16(graph, *node, quantization);
    if (why.empty()) continue;
    if (planned->second == Int8Role::kLayer) {
      --report->quantized;
      report->exceptions.push_back({node->name, schema::EnumNameOpCode(node->code), why});
    }
    plan->erase(planned);
    dropped = true;
  }
  if (dropped) NarrowRegions(graph).RemoveUseless(plan);
  return dropped;
}

}  // namespace

void QuantizeToInt16(ir::Graph* graph, const observe::Calibration& calibration,
                     const PtqCorrection& correction, const LayerTypes& exceptions, Report* report) {
  const std::vector<Table> tables = FindTables(*graph);  // while layers read them as floats
  NarrowPlan plan = PlanInt16(*graph, calibration.ranges, exceptions, report);
  Quantizations quantization = AssignInt16(*graph, calibration.ranges, plan);
  while (DropMisfits(*graph, quantization, &plan, report))
    quantization = AssignInt16(*graph, calibration.ranges, plan);
  RewriteToInt16(graph, plan, quantization, {&calibration.means, &calibration.moments, correction});
  ReportLayersInBodies(*graph, report);
  const WeightCorrection tools = {correction, &calibration.moments};
  StoreOtherLayers(graph, {}, exceptions, tools, report);
  StoreTables(graph, tables, LayerType::kInt8Weights, exceptions, tools, report);
}

void QuantizeStatically(ir::Graph* graph, const observe::Calibration& calibration,
                        const PtqCorrection& correction, const LayerTypes& exceptions, const PoorLayers& poor,
                        Report* report) {
  const std::set<const ir::Node*> before_recurrent = NodesBeforeRecurrent(*graph);
  const std::vector<Table> tables = FindTables(*graph);  // while layers read them as floats
  const NarrowPlan plan = PlanInt8(*graph, calibration.ranges, exceptions, poor, report);
  RewriteToInt8(graph, plan, AssignQuantization(*graph, calibration.ranges, plan),
                {&calibration.means, &calibration.moments, correction});
  ReportLayersInBodies(*graph, report);  // while their weights are floats, and so recognized
  WeightCorrection tools = {correction, &calibration.moments};
  StoreOtherLayers(graph, before_recurrent, exceptions, tools, report);
  tools.integers_only = poor.all;
  StoreTables(graph, tables, LayerType::kInt8Weights, exceptions, tools, report);
}

}  // namespace micrort::quantize
