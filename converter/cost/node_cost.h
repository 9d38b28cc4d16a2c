#pragma once
// How long operators take, estimated: it decides what is quantized, so it must not depend on the machine's
// mood.

#include "converter/ir/graph.h"
#include "kernels/base/cpu_features.h"

namespace micrort::cost {

// Microseconds of one run on one core like that of kernels/conv/cost.h, with the kernels of a CPU that
// has exactly `features`. Layers: the cost by which the runtime chooses their algorithm. Other operators:
// elements, by what they compute on each. Dynamic dimensions count as 1.
double NodeMicroseconds(const ir::Graph& graph, const ir::Node& node, CpuFeatures features);

double GraphMicroseconds(const ir::Graph& graph, CpuFeatures features);

}  // namespace micrort::cost
