#pragma once

#include <set>

#include "converter/ir/graph.h"

namespace micrort::quantize {

// Nodes from whose outputs a recurrent layer, be it in a body, computes. Its state keeps errors from run to
// run, and what streams through such networks is at times loud and mostly quiet: one range for all samples
// would leave the quiet ones a few levels. Looked up, never iterated.
std::set<const ir::Node*> NodesBeforeRecurrent(const ir::Graph& graph);

}  // namespace micrort::quantize
