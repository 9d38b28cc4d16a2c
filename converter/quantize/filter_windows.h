#pragma once

#include "converter/ir/graph.h"
#include "converter/observe/moments.h"

namespace micrort::quantize {

// The windows of the graph's convolutions, also depthwise ones, and products with one matrix; not of
// subgraphs, which calibration does not look into.
observe::FilterWindows FilterWindowsOf(const ir::Graph& graph);

}  // namespace micrort::quantize
