// Between an If or a Loop and its bodies goes only what is needed: constants move in, where layers find their
// weights; what no body reads, and what an If gives to nobody, goes.

#include <algorithm>

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {

namespace {

bool Reads(const ir::Graph& graph, ir::ValueId id) {
  const auto contains = [id](const std::vector<ir::ValueId>& ids) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  return contains(graph.outputs) || std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                                [&](const auto& node) { return contains(node->inputs); });
}

template <typename T>
void RemoveAt(std::vector<T>* list, size_t i) {
  list->erase(list->begin() + static_cast<std::ptrdiff_t>(i));
}

// Input i of the node is a constant, or no body reads it.
bool RemoveCapture(const ir::Graph& graph, ir::Node& node, size_t i) {
  const size_t k = i - ir::FirstBodyInput(node);
  const ir::Value& outer = graph.value(node.inputs[i]);
  const bool is_read = std::any_of(node.bodies.begin(), node.bodies.end(),
                                   [k](const auto& body) { return Reads(*body, body->inputs[k]); });
  if (is_read && !outer.is_constant()) return false;
  for (const auto& body : node.bodies) {
    ir::Value& inner = body->value(body->inputs[k]);
    if (outer.is_constant()) {
      inner.data = outer.data;
      inner.shape = outer.shape;
      inner.dim_names.clear();
      inner.source_quantization = outer.source_quantization;
    }
    RemoveAt(&body->inputs, k);
  }
  RemoveAt(&node.inputs, i);
  return true;
}

bool RemoveUnreadResults(const ir::Graph::Uses& uses, ir::Node& node) {
  bool changed = false;
  for (size_t i = node.outputs.size(); i-- > 0 && node.outputs.size() > 1;) {
    const auto id = static_cast<size_t>(node.outputs[i]);
    if (!uses.consumers[id].empty() || uses.is_output[id]) continue;
    RemoveAt(&node.outputs, i);
    for (const auto& body : node.bodies) {
      RemoveAt(&body->outputs, i);
      RemoveDeadNodes(*body);
    }
    changed = true;
  }
  return changed;
}

}  // namespace

Status SimplifyBodies(ir::Graph& graph, bool* changed) {
  const ir::Graph::Uses uses = graph.ComputeUses();
  for (const auto& node : graph.nodes) {
    if (node->bodies.empty()) continue;
    if (node->code == schema::OpCode::If) *changed |= RemoveUnreadResults(uses, *node);
    for (size_t i = node->inputs.size(); i-- > ir::FirstCapture(*node);) {
      *changed |= RemoveCapture(graph, *node, i);
    }
  }
  return Status();
}

}  // namespace micrort::passes
