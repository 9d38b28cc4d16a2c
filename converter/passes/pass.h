#pragma once
// What a pass of the converter's pipeline is.

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::passes {

// Rewrites the graph in place and leaves it in run order. Sets *changed to true if it changed anything and
// leaves it alone otherwise. Shapes and types of the values that it adds may be unknown: inference runs
// between passes.
struct Pass {
  const char* name;  // as the pipeline reports it, "fuse_activation"
  Status (*run)(ir::Graph& graph, bool* changed);
  bool entry_only = false;  // not run on bodies: it enters them itself, or does not change them
};

}  // namespace micrort::passes
