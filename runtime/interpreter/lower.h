#pragma once
// From a prepared graph to a program: a step a node, with a buffer and a view a tensor.

#include "runtime/interpreter/graph.h"
#include "runtime/program/program.h"

namespace micrort {

// Nodes whose outputs were computed while planning have no step. The graph outlives the program.
Status LowerGraph(const Graph& graph, Program* program);
// The step of one node, as rewrites find it; but for a convolution, which has its call in the program.
Step LowerNode(const Node& node, size_t index);
// The work of a run, as Program::fixed_work.
uint64_t FixedWorkOf(const Graph& graph);

}  // namespace micrort
