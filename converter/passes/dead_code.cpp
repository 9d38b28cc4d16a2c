// Removes nodes that nothing reads, and the data of constants that nothing reads.

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {

namespace {

// Passes replace weights by rearranged ones; of a large network, the old ones are much memory. That does not
// count as a change.
void ReleaseUnreadConstants(ir::Graph& graph) {
  const ir::Graph::Uses uses = graph.ComputeUses();
  for (size_t i = 0; i < graph.value_count(); ++i) {
    if (uses.consumers[i].empty() && !uses.is_output[i])
      graph.value(static_cast<ir::ValueId>(i)).data.reset();
  }
}

}  // namespace

Status EliminateDeadCode(ir::Graph& graph, bool* changed) {
  *changed |= RemoveDeadNodes(graph);
  ReleaseUnreadConstants(graph);
  return Status();
}

}  // namespace micrort::passes
