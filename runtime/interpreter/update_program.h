#pragma once
// A program for other sizes.

#include "runtime/interpreter/graph.h"
#include "runtime/program/program.h"

namespace micrort {

// Gives the program of a graph, as rewrites left it, the sizes that the graph has been prepared for since
// (NodePreparation::RunChanged). What rewrites decided stays. False where steps would be others: then the
// program is of no use any more.
bool UpdateProgram(const Graph& graph, CpuFeatures features, Program* program);

}  // namespace micrort
