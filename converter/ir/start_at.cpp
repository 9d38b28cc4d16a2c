#include "converter/ir/start_at.h"

#include <algorithm>

#include "converter/ir/computed_names.h"
#include "tools/io/near_names.h"

namespace micrort::ir {
namespace {

Status FindAll(const Graph& graph, const std::vector<std::string>& names, std::vector<ValueId>* ids) {
  for (const std::string& name : names) {
    const ValueId id = graph.FindValue(name);
    if (id == kNoValue) {
      return MICRORT_ERROR(kInvalidArgument, "--feeds: the model has no tensor '%s'; names like it: %s",
                           name.c_str(), io::NearNames(name, ComputedNames(graph)).c_str());
    }
    if (graph.value(id).is_constant()) {
      return MICRORT_ERROR(kInvalidArgument, "--feeds: '%s' is a constant", name.c_str());
    }
    if (std::find(ids->begin(), ids->end(), id) != ids->end()) {
      return MICRORT_ERROR(kInvalidArgument, "--feeds: '%s' is given twice", name.c_str());
    }
    ids->push_back(id);
  }
  return Status();
}

bool Contains(const std::vector<ValueId>& ids, ValueId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Nodes lose outputs that are fed: something else provides these now.
void DetachFeeds(const std::vector<ValueId>& feeds, Graph* graph) {
  for (const auto& node : graph->nodes) {
    for (ValueId& output : node->outputs) {
      if (output == kNoValue || !Contains(feeds, output)) continue;
      Value replacement = graph->value(output);
      replacement.in_source = false;
      output = graph->AddValue(std::move(replacement));
    }
  }
}

// Removes nodes that compute nothing for the outputs. On return needed[id] tells whether a value is read.
std::vector<bool> RemoveUnneeded(Graph* graph) {
  std::vector<bool> needed(graph->value_count(), false);
  for (const ValueId id : graph->outputs) needed[static_cast<size_t>(id)] = true;
  std::vector<std::unique_ptr<Node>> kept;
  for (auto it = graph->nodes.rbegin(); it != graph->nodes.rend(); ++it) {
    const auto& outputs = (*it)->outputs;
    if (std::none_of(outputs.begin(), outputs.end(),
                     [&](ValueId id) { return id != kNoValue && needed[static_cast<size_t>(id)]; })) {
      continue;
    }
    for (const ValueId id : (*it)->inputs) {
      if (id != kNoValue) needed[static_cast<size_t>(id)] = true;
    }
    kept.push_back(std::move(*it));
  }
  std::reverse(kept.begin(), kept.end());
  graph->nodes = std::move(kept);
  return needed;
}

}  // namespace

Status StartAt(const std::vector<std::string>& feeds, Graph* graph) {
  if (feeds.empty()) return Status();
  std::vector<ValueId> inputs;
  MICRORT_RETURN_IF_ERROR(FindAll(*graph, feeds, &inputs));
  DetachFeeds(inputs, graph);
  const std::vector<bool> needed = RemoveUnneeded(graph);
  for (const ValueId id : graph->inputs) {
    if (Contains(inputs, id) || !needed[static_cast<size_t>(id)]) continue;
    return MICRORT_ERROR(kInvalidArgument, "--feeds: the outputs also depend on the input '%s'; feed it too",
                         graph->value(id).name.c_str());
  }
  graph->inputs = inputs;
  // Some of it may be for nodes that are gone.
  graph->input_sizes = nullptr;
  return Status();
}

}  // namespace micrort::ir
