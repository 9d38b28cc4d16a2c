#include "converter/passes/constant_folding.h"

#include "converter/ir/grid.h"
#include "converter/ir/infer.h"

namespace micrort::passes {

namespace {

bool AllKnown(const ir::ShapeInference& inference, const ir::Node& node) {
  for (ir::ValueId id : node.outputs) {
    if (inference.KnownData(id) == nullptr) return false;
  }
  return true;
}

bool WritesOutput(const ir::Graph& graph, const ir::Node& node) {
  for (ir::ValueId id : node.outputs) {
    for (ir::ValueId output : graph.outputs) {
      if (id == output) return true;
    }
  }
  return false;
}

}  // namespace

Status ConstantFolding(ir::Graph& graph, bool* changed) {
  ir::ShapeInference inference(graph);
  for (const auto& node : graph.nodes) {
    if (Status s = inference.Visit(*node); !s.ok()) return s.WithPrefix("%s", ir::Describe(*node).c_str());
  }
  std::vector<std::unique_ptr<ir::Node>> kept;
  for (auto& node : graph.nodes) {
    // An output of the graph is always written by a node.
    if (!AllKnown(inference, *node) || WritesOutput(graph, *node)) {
      kept.push_back(std::move(node));
      continue;
    }
    for (ir::ValueId id : node->outputs) {
      graph.value(id).data = inference.KnownData(id);
      graph.value(id).grid = ir::GridAfter(graph, *node);
    }
    *changed = true;
  }
  graph.nodes = std::move(kept);
  return Status();
}

}  // namespace micrort::passes
