#include "converter/quantize/recurrent_inputs.h"

#include <algorithm>

namespace micrort::quantize {
namespace {

bool HoldsRecurrent(const ir::Node& node) {
  if (node.code == schema::OpCode::Recurrent) return true;
  return std::any_of(node.bodies.begin(), node.bodies.end(), [](const auto& body) {
    return std::any_of(body->nodes.begin(), body->nodes.end(),
                       [](const auto& inner) { return HoldsRecurrent(*inner); });
  });
}

}  // namespace

std::set<const ir::Node*> NodesBeforeRecurrent(const ir::Graph& graph) {
  const ir::Graph::Uses uses = graph.ComputeUses();
  std::set<const ir::Node*> found;
  std::vector<const ir::Node*> open;
  for (const auto& node : graph.nodes) {
    if (HoldsRecurrent(*node)) open.push_back(node.get());
  }
  while (!open.empty()) {
    const ir::Node* node = open.back();
    open.pop_back();
    for (const ir::ValueId input : node->inputs) {
      const ir::Node* producer = input == ir::kNoValue ? nullptr : uses.producer[static_cast<size_t>(input)];
      if (producer != nullptr && found.insert(producer).second) open.push_back(producer);
    }
  }
  return found;
}

}  // namespace micrort::quantize
