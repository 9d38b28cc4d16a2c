#include "converter/passes/constant_folding.h"

#include <algorithm>

#include "converter/ir/infer.h"
#include "converter/ir/source_quantization.h"

namespace micrort::passes {

namespace {

bool AllKnown(const ir::ShapeInference& inference, const ir::Graph& graph, const ir::Node& node) {
  for (ir::ValueId id : node.outputs) {
    if (inference.KnownData(graph, id) == nullptr) return false;
  }
  return true;
}

std::vector<bool> OutputsOf(const ir::Graph& graph) {
  std::vector<bool> is_output(graph.value_count());
  for (const ir::ValueId id : graph.outputs) is_output[static_cast<size_t>(id)] = true;
  return is_output;
}

bool WritesOutput(const std::vector<bool>& is_output, const ir::Node& node) {
  return std::any_of(node.outputs.begin(), node.outputs.end(),
                     [&](ir::ValueId id) { return is_output[static_cast<size_t>(id)]; });
}

void Fold(const ir::ShapeInference& inference, ir::Graph& graph, bool* changed) {
  std::vector<std::unique_ptr<ir::Node>> kept;
  const std::vector<bool> is_output = OutputsOf(graph);
  for (auto& node : graph.nodes) {
    // An output of the graph is always written by a node.
    if (!AllKnown(inference, graph, *node) || WritesOutput(is_output, *node)) {
      for (const auto& body : node->bodies) Fold(inference, *body, changed);
      kept.push_back(std::move(node));
      continue;
    }
    for (ir::ValueId id : node->outputs) {
      graph.value(id).data = inference.KnownData(graph, id);
      graph.value(id).source_quantization = ir::SourceQuantizationAfter(graph, *node);
      graph.value(id).source_integers = ir::SourceIntegersAfter(graph, *node);
    }
    *changed = true;
  }
  graph.nodes = std::move(kept);
}

}  // namespace

Status ConstantFolding(ir::Graph& graph, bool* changed) {
  ir::ShapeInference inference(graph);
  for (const auto& node : graph.nodes) {
    if (Status s = inference.Visit(*node); !s.ok()) return s.WithPrefix("%s", ir::Describe(*node).c_str());
  }
  Fold(inference, graph, changed);
  return Status();
}

}  // namespace micrort::passes
