// Removes nodes that nothing reads.

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {

Status EliminateDeadCode(ir::Graph& graph, bool* changed) {
  *changed |= RemoveDeadNodes(graph);
  return Status();
}

}  // namespace micrort::passes
