#include "converter/ir/computed_names.h"

namespace micrort::ir {

std::vector<std::string> ComputedNames(const Graph& graph) {
  std::vector<std::string> names;
  for (const ValueId id : graph.inputs) names.push_back(graph.value(id).name);
  for (const auto& node : graph.nodes) {
    for (const ValueId id : node->outputs) {
      if (id != kNoValue && graph.value(id).in_source) names.push_back(graph.value(id).name);
    }
  }
  return names;
}

}  // namespace micrort::ir
