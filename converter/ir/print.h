#pragma once
// Graphs as text, for messages and for tests that compare a graph before and after.

#include <string>

#include "converter/ir/graph.h"

namespace micrort::ir {

// "float32[1,?,N]"; "?" as the shape where it is not known.
std::string PrintType(const Value& value);

// "{ stride_h: 2, kind: Max }": the options that differ from the schema's defaults.
std::string PrintOptions(const Node& node);

// One line a node: "y = Conv2D(x, w, -) { stride_h: 2 }", "-" for an absent input.
std::string PrintNode(const Graph& graph, const Node& node);

// One line an input, node and output, in that order:
//   input x float32[1,4,4,3]
//   y = Conv2D(x, w) { stride_h: 2 }
//   output y float32[1,2,2,8]
std::string Print(const Graph& graph);

}  // namespace micrort::ir
