#pragma once
// Layers that share weights, as the steps of an unrolled recurrence do.

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "converter/quantize/narrow_plan.h"

namespace micrort::quantize {

// What samples say of the values that layers read and write.
struct LayerStatistics {
  observe::Ranges ranges;
  observe::Means means;
};

// The integers of a bias, and what is packed beside the weights, depend on the ranges of the layer's input
// and output and on the means of the input, so layers of the plan that share weights would store these each.
// Where they would outweigh the weights, all of these layers get one range for their inputs and one for their
// outputs, which hold all of theirs, and the mean of their means.
void ShareStatistics(const ir::Graph& graph, const NarrowPlan& plan, LayerStatistics* statistics);

}  // namespace micrort::quantize
