#pragma once

#include "converter/passes/pass.h"

namespace micrort::passes {

// Puts the nodes of the branch that a constant condition chooses in the place of an If.
Status InlineBranches(ir::Graph& graph, bool* changed);

}  // namespace micrort::passes
