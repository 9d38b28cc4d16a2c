#pragma once
// Heuristics for run orders that keep few bytes alive. Both give an order in which the graph can run.

#include "converter/passes/order/memory_model.h"

namespace micrort::passes {

// Always the ready node after which the least is alive; among equals the one that comes first in the graph.
NodeOrder GreedyOrder(const MemoryModel& model);

// Each node directly after all that it needs, where of several operands the one comes first whose computation
// needs the most memory beyond its result (Sethi and Ullman's rule, which is exact for trees).
NodeOrder DepthFirstOrder(const MemoryModel& model);

}  // namespace micrort::passes
