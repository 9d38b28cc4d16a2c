#pragma once

#include <map>

#include "converter/ir/graph.h"
#include "converter/quantize/adjust_weights.h"
#include "converter/quantize/int8_plan.h"

namespace micrort::quantize {

// How weights and biases become integers.
struct LayerConstants {
  const observe::Means* means;
  const observe::MomentsByWeights* moments;
  PtqCorrection correction;
};

// Puts the plan into effect. Values between nodes of the plan become int8; a layer with a reader outside the
// plan gives float32 directly; weights become int8 a channel and biases int32. Quantize and Dequantize are
// added where a value is needed in the other form, one of each a value at most. Graph outputs keep name and
// type.
void RewriteToInt8(ir::Graph* graph, const Int8Plan& plan,
                   const std::map<ir::ValueId, ir::Quantization>& quantization,
                   const LayerConstants& constants);

}  // namespace micrort::quantize
