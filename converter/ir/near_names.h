#pragma once

#include <string>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// The few of `names` that the asked one was most likely meant to be, in quotes: "'conv1', 'conv2'".
std::string NearNames(const std::string& asked, std::vector<std::string> names);

// Of the tensors that a graph is given or computes and that its source model names.
std::vector<std::string> ComputedNames(const Graph& graph);

}  // namespace micrort::ir
