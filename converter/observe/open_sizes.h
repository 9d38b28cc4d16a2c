#pragma once
// Sizes of the dimensions that a model leaves open, at which it is worth comparing.

#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/dynamic_sizes.h"

namespace micrort::observe {

// Shapes of all inputs, one choice after another, at most `most`: small sizes, and those beside every
// threshold that size expressions of the graph hold. All keep what the graph requires of its inputs' sizes.
// None for a graph whose inputs have no open dimensions.
std::vector<std::vector<Dims>> ChooseOpenSizes(ir::Graph& graph, size_t most);

}  // namespace micrort::observe
