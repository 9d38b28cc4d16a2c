#pragma once

#include "converter/ir/graph.h"
#include "converter/quantize/layer_types.h"

namespace micrort::quantize {

// Integer epilogues clamp, or multiply what is below zero by a slope for each channel: LeakyRelu of layers
// that could become int8 becomes PRelu. Layers get other activations as a Unary of their own, so that the
// range before it is observed and it can become a table.
void SplitActivations(ir::Graph* graph);
// LeakyRelu becomes PRelu, of a layer with as many equal slopes; others stay.
void GiveSlopes(ir::Graph* graph, ir::Node* node);
// The contrary, of layers that give floats.
void TakeEqualSlopes(ir::Graph* graph);

// Layers of int16 add no residual and have no slopes: both become operators behind them.
void SplitForInt16(ir::Graph* graph);
// The same of the layers alone that are to be int16x8.
void SplitForInt16(const LayerTypes& types, ir::Graph* graph);

}  // namespace micrort::quantize
