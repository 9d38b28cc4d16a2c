#pragma once

#include <string>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// Of the tensors that a graph is given or computes and that its source model names.
std::vector<std::string> ComputedNames(const Graph& graph);

}  // namespace micrort::ir
