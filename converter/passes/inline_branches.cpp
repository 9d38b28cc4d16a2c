#include "converter/passes/inline_branches.h"

#include <algorithm>
#include <unordered_map>

namespace micrort::passes {

namespace {

// Moves the nodes of a body into the graph around it.
class Inlining {
 public:
  Inlining(ir::Graph& graph, const ir::Node& owner, ir::Graph& body) : graph_(graph), body_(body) {
    const size_t first = ir::FirstBodyInput(owner);
    for (size_t k = 0; k < body.inputs.size(); ++k) values_[body.inputs[k]] = owner.inputs[first + k];
    // Nodes of the body write these, each one.
    for (size_t k = 0; k < body.outputs.size(); ++k) values_[body.outputs[k]] = owner.outputs[k];
  }

  void MoveNodes(std::vector<std::unique_ptr<ir::Node>>* out) {
    for (auto& node : body_.nodes) {
      Rename(&node->inputs);
      Rename(&node->outputs);
      out->push_back(std::move(node));
    }
    // Whoever still holds the body finds it empty.
    body_.nodes.clear();
  }

 private:
  void Rename(std::vector<ir::ValueId>* ids) {
    for (ir::ValueId& id : *ids) {
      if (id != ir::kNoValue) id = Outside(id);
    }
  }

  ir::ValueId Outside(ir::ValueId id) {
    const auto known = values_.find(id);
    if (known != values_.end()) return known->second;
    return values_[id] = graph_.AddValue(body_.value(id));
  }

  ir::Graph& graph_;
  ir::Graph& body_;
  std::unordered_map<ir::ValueId, ir::ValueId> values_;
};

}  // namespace

Status InlineBranches(ir::Graph& graph, bool* changed) {
  std::vector<std::unique_ptr<ir::Node>> nodes;
  for (auto& node : graph.nodes) {
    const bool decided = node->code == schema::OpCode::If && graph.value(node->inputs[0]).is_constant();
    if (!decided) {
      nodes.push_back(std::move(node));
      continue;
    }
    const bool condition = (*graph.value(node->inputs[0]).data)[0] != 0;
    Inlining(graph, *node, *node->bodies[condition ? 0 : 1]).MoveNodes(&nodes);
    *changed = true;
  }
  graph.nodes = std::move(nodes);
  return Status();
}

}  // namespace micrort::passes
