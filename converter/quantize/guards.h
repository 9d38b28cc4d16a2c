#pragma once
// What in the samples may spoil a quantization.

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"

namespace micrort::quantize {

// One line a doubt, the gravest first: what was found, and what to check. The graph is that on which the
// values were observed.
std::vector<std::string> WarnAboutSamples(const ir::Graph& graph, const observe::Calibration& calibration);

}  // namespace micrort::quantize
