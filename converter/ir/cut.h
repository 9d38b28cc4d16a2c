#pragma once

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Keeps what computes `fetches` from `feeds`, which become the graph's outputs and inputs in this order; an
// empty list keeps the graph's own. kInvalidArgument for names that the graph lacks, for constants as feeds,
// and if the fetches depend on an input that is not fed.
Status CutGraph(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, Graph* graph);

}  // namespace micrort::ir
