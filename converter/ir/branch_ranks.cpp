#include "converter/ir/branch_ranks.h"

#include "converter/ir/infer.h"

namespace micrort::ir {

namespace {

void AddNotesOf(const Graph& graph, std::vector<std::string>* notes) {
  for (const auto& node : graph.nodes) {
    if (node->code != schema::OpCode::If) continue;
    for (size_t i = 0; i < node->outputs.size(); ++i) {
      const Graph &then_graph = *node->bodies[0], &else_graph = *node->bodies[1];
      const Value& taken = graph.value(node->outputs[i]);
      const Value& then_value = then_graph.value(then_graph.outputs[i]);
      const Value& else_value = else_graph.value(else_graph.outputs[i]);
      if (!taken.has_shape || !then_value.has_shape || !else_value.has_shape) continue;
      if (then_value.rank() == else_value.rank()) continue;
      notes->push_back(Describe(*node) + ": its branches give '" + taken.name + "' " +
                       std::to_string(then_value.rank()) + " and " + std::to_string(else_value.rank()) +
                       " dimensions; the file is for " + std::to_string(taken.rank()) +
                       ", and refuses a run of the other branch; sizes by --input-shape choose one");
    }
  }
}

}  // namespace

std::vector<std::string> NotesOfBranchRanks(const Graph& graph) {
  std::vector<std::string> notes;
  AddNotesOf(graph, &notes);
  for (const auto& body : BodiesIn(graph)) AddNotesOf(*body, &notes);
  return notes;
}

}  // namespace micrort::ir
