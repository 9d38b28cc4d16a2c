#pragma once
// Puts a plan of int16 activations and int8 weights into effect.

#include "converter/ir/graph.h"
#include "converter/quantize/int8_rewrite.h"
#include "converter/quantize/value_quantization.h"

namespace micrort::quantize {

// As RewriteToInt8, but every node of the plan gives int16, layers too, and rounds as TensorFlow Lite does.
// Returns what RewriteToNarrow does.
std::map<ir::ValueId, ir::ValueId> RewriteToInt16(ir::Graph* graph, const NarrowPlan& plan,
                                                  const Quantizations& quantization,
                                                  const LayerConstants& constants);

}  // namespace micrort::quantize
