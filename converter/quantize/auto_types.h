#pragma once
// --quant auto on a real model: times are estimated on the graph that a choice of types makes, losses
// measured by running it.

#include <optional>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "converter/observe/samples.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/ptq_correction.h"
#include "converter/quantize/quant_report.h"
#include "converter/quantize/type_search.h"
#include "kernels/base/cpu_features.h"

namespace micrort::quantize {

struct AutoInputs {
  const ir::Module* module;  // in float, ready for QuantizeStatically
  const observe::Calibration* calibration;
  PtqCorrection correction;
  const std::vector<observe::Sample>* samples;  // in the graph's order
  // The right answers, one a sample: loss is the share of them that the float model gives and the other does
  // not. None: loss is the largest noise over signal of an output.
  std::optional<std::vector<int64_t>> labels;
  const LayerTypes* fixed;
  PoorLayers poor;  // as of the model that is written
  double max_loss;
  CpuFeatures features;  // of this machine, for what is tried
  CpuFeatures device;    // exactly, of the CPU that it shall be fast on
  bool progress;
};

Status ChooseTypes(const AutoInputs& inputs, FoundTypes* found);

// Makes the report say why layers are not int8.
void Explain(const FoundTypes& found, Report* report);

}  // namespace micrort::quantize
