#pragma once

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Makes `feeds` the graph's inputs, in this order, and drops the nodes that the outputs no longer need;
// without names nothing changes. kInvalidArgument for names that the graph lacks, for constants, and if the
// outputs depend on an input that is not fed.
Status StartAt(const std::vector<std::string>& feeds, Graph* graph);

}  // namespace micrort::ir
