#include "converter/quantize/narrow_plan.h"

#include <algorithm>

namespace micrort::quantize {

std::vector<size_t> NarrowInputs(const ir::Node& node, Int8Role role) {
  std::vector<size_t> positions;
  const bool is_product = IsLayer(node.code) && role == Int8Role::kElementwise;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (is_product || OperandOf(node.code, i) == Operand::kData) positions.push_back(i);
  }
  return positions;
}

bool NarrowRegions::Gets(const NarrowPlan& plan, const ir::Node& node, Int8Role role) const {
  const std::vector<size_t> inputs = NarrowInputs(node, role);
  return std::any_of(inputs.begin(), inputs.end(), [&](size_t i) {
    const ir::Node* producer = uses_.producer[static_cast<size_t>(node.inputs[i])];
    return producer != nullptr && plan.count(producer) != 0;
  });
}

bool NarrowRegions::Feeds(const NarrowPlan& plan, const ir::Node& node) const {
  const ir::ValueId output = node.outputs[0];
  if (last_ == LastOnes::kMayBeNarrow &&
      std::find(graph_.outputs.begin(), graph_.outputs.end(), output) != graph_.outputs.end())
    return true;
  const auto& consumers = uses_.consumers[static_cast<size_t>(output)];
  return std::any_of(consumers.begin(), consumers.end(), [&](const ir::Node* consumer) {
    const auto planned = plan.find(consumer);
    if (planned == plan.end()) return false;
    const std::vector<size_t> inputs = NarrowInputs(*consumer, planned->second);
    return std::any_of(inputs.begin(), inputs.end(), [&](size_t i) { return consumer->inputs[i] == output; });
  });
}

template <typename IsUseful>
void NarrowRegions::KeepWhat(NarrowPlan* plan, const IsUseful& is_useful) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& node : graph_.nodes) {
      const auto planned = plan->find(node.get());
      if (planned == plan->end() || is_useful(*node, planned->second)) continue;
      plan->erase(planned);
      changed = true;
    }
  }
}

void NarrowRegions::RemoveUseless(NarrowPlan* plan) const {
  KeepWhat(plan, [&](const ir::Node& node, Int8Role role) {
    return role == Int8Role::kLayer || (Gets(*plan, node, role) && Feeds(*plan, node));
  });
}

void NarrowRegions::RemoveAlone(NarrowPlan* plan) const {
  KeepWhat(plan, [&](const ir::Node& node, Int8Role role) {
    const bool gets = Gets(*plan, node, role), feeds = Feeds(*plan, node);
    return role == Int8Role::kLayer ? gets || feeds : gets && feeds;
  });
}

}  // namespace micrort::quantize
