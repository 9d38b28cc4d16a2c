#pragma once

#include "converter/ir/graph.h"
#include "converter/quantize/layer_types.h"

namespace micrort::quantize {

// Integer epilogues clamp and nothing else. Layers that could become int8 get other activations as a Unary of
// their own, so that the range before it is observed and it can become a table.
void SplitActivations(ir::Graph* graph);

// Layers of int16 add no residual: it is added behind them, with their activation.
void SplitResiduals(ir::Graph* graph);
// The same of the layers alone that are to be int16x8.
void SplitResiduals(const LayerTypes& types, ir::Graph* graph);

}  // namespace micrort::quantize
