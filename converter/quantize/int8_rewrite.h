#pragma once

#include <map>

#include "converter/ir/graph.h"
#include "converter/observe/ranges.h"
#include "converter/quantize/adjust_weights.h"
#include "converter/quantize/narrow_plan.h"

namespace micrort::quantize {

// How weights and biases become integers.
struct LayerConstants {
  const observe::Means* means;
  const observe::MomentsByWeights* moments;
  PtqCorrection correction;
};

// Puts the plan into effect (narrow_rewrite.h): weights become int8 a channel and biases int32; Quantize and
// Dequantize are between.
void RewriteToInt8(ir::Graph* graph, const NarrowPlan& plan,
                   const std::map<ir::ValueId, ir::Quantization>& quantization,
                   const LayerConstants& constants);

}  // namespace micrort::quantize
