#pragma once

#include "converter/ir/graph.h"

namespace micrort::ir {

// The grid of what the node computes from a constant that has one, where it only moves the elements; empty
// where that cannot be told.
Quantization SourceQuantizationAfter(const Graph& graph, const Node& node);

}  // namespace micrort::ir
