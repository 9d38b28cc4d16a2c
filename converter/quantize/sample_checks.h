#pragma once
// What in the samples may spoil a quantization.

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"

namespace micrort::quantize {

struct SampleWarning {
  std::string found, advice;  // what, and what to check
  bool is_misfit = false;     // the samples are nothing that the network was trained for
  std::string text() const { return found + ": " + advice; }
};

// The gravest first. The graph is that on which the values were observed.
std::vector<SampleWarning> WarnAboutSamples(const ir::Graph& graph, const observe::Calibration& calibration);

}  // namespace micrort::quantize
