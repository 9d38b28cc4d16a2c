#pragma once

#include <string>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// The names of tensors that a graph is given or computes, where its source model names them.
std::vector<std::string> ComputedNames(const Graph& graph);

}  // namespace micrort::ir
