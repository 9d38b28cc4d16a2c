#pragma once
// Branches that give tensors of different ranks, of which the rest of a model follows one.

#include <string>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// A sentence for each output of an If whose branches give different ranks, nested graphs included.
// Shapes have been inferred.
std::vector<std::string> NotesOfBranchRanks(const Graph& graph);

}  // namespace micrort::ir
