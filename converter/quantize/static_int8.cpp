#include "converter/quantize/static_int8.h"

#include "converter/quantize/int16_rewrite.h"
#include "converter/quantize/int16_roles.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/int8_rewrite.h"
#include "converter/quantize/recurrent_inputs.h"
#include "converter/quantize/shared_layers.h"
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
      type = exception->second;  // int16x8 that could not be stays float
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
bool DropMisfits(const ir::Graph& graph, const Quantizations& quantization, LastOnes last, NarrowPlan* plan,
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
  if (dropped) NarrowRegions(graph, last).RemoveUseless(plan);
  return dropped;
}

// Which nodes compute in int16, and how.
struct Int16Plan {
  NarrowPlan nodes;
  Quantizations quantization;
};

void AssignScales(const ir::Graph& graph, const observe::Ranges& ranges, LastOnes last, Int16Plan* plan,
                  Report* report) {
  plan->quantization = AssignInt16(graph, ranges, plan->nodes);
  while (DropMisfits(graph, plan->quantization, last, &plan->nodes, report))
    plan->quantization = AssignInt16(graph, ranges, plan->nodes);
}

Int16Plan PlanAsked(const ir::Graph& graph, const observe::Ranges& ranges, const LayerTypes& types,
                    Report* report) {
  Int16Plan plan;
  if (!AsksForInt16(types)) return plan;
  plan.nodes = PlanAskedInt16(graph, ranges, types, report);
  AssignScales(graph, ranges, LastOnes::kAreFloat, &plan, report);
  return plan;
}

// The report says of layers that are int16x8, as asked, that they are as asked; why others are not.
void ExplainAsked(const Report& of_int16, const LayerTypes& types, Report* report) {
  std::map<std::string, std::string> why;
  for (const Exception& exception : of_int16.exceptions) why[exception.node] = exception.reason;
  for (Exception& exception : report->exceptions) {
    const auto asked = types.find(exception.node);
    const auto found = why.find(exception.node);
    if (asked != types.end() && asked->second == LayerType::kInt16x8 && found != why.end())
      exception.reason = found->second;
  }
}

}  // namespace

void QuantizeToInt16(ir::Graph* graph, const observe::Calibration& calibration,
                     const PtqCorrection& correction, const LayerTypes& exceptions, Report* report) {
  const std::vector<Table> tables = FindTables(*graph);  // while layers read them as floats
  Int16Plan plan = {PlanInt16(*graph, calibration.ranges, exceptions, report), {}};
  LayerStatistics statistics = {calibration.ranges, calibration.means};
  ShareStatistics(*graph, plan.nodes, &statistics);
  AssignScales(*graph, statistics.ranges, LastOnes::kMayBeNarrow, &plan, report);
  RewriteToInt16(graph, plan.nodes, plan.quantization, {&statistics.means, &calibration.moments, correction});
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
  Report of_int16;
  const Int16Plan wide = PlanAsked(*graph, calibration.ranges, exceptions, &of_int16);
  const NarrowPlan plan = PlanInt8(*graph, calibration.ranges, exceptions, poor, report);
  ExplainAsked(of_int16, exceptions, report);
  LayerStatistics statistics = {calibration.ranges, calibration.means};
  ShareStatistics(*graph, plan, &statistics);
  Quantizations quantization = AssignQuantization(*graph, statistics.ranges, plan);
  const LayerConstants constants = {&statistics.means, &calibration.moments, correction};
  for (const auto& [id, as_float] : RewriteToInt16(graph, wide.nodes, wide.quantization, constants)) {
    if (const auto it = quantization.find(id); it != quantization.end()) quantization[as_float] = it->second;
  }
  RewriteToInt8(graph, plan, quantization, constants);
  ReportLayersInBodies(*graph, report);  // while their weights are floats, and so recognized
  WeightCorrection tools = {correction, &calibration.moments};
  StoreOtherLayers(graph, before_recurrent, exceptions, tools, report);
  tools.integers_only = poor.all;
  StoreTables(graph, tables, LayerType::kInt8Weights, exceptions, tools, report);
}

}  // namespace micrort::quantize
