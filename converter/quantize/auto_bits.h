#pragma once
// --quant auto for the fewest bytes on a real model: only weights change.

#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/samples.h"
#include "converter/quantize/adjust_weights.h"
#include "converter/quantize/bits_search.h"
#include "converter/quantize/quant_report.h"
#include "kernels/base/cpu_features.h"

namespace micrort::quantize {

struct BitsInputs {
  const ir::Module* module;  // in float
  WeightCorrection tools;
  const std::vector<observe::Sample>* samples;  // in the graph's order
  const std::vector<int64_t>* labels;           // one a sample, or null
  const LayerTypes* fixed;
  double max_loss;  // see ModelLoss
  CpuFeatures features;
  bool progress;
};

// Stores the weights of `graph`, which becomes what was found, and says why layers have more than 4 bits.
Status ChooseBits(const BitsInputs& inputs, ir::Graph* graph, FoundBits* found, Report* report);

}  // namespace micrort::quantize
