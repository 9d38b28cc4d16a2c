#pragma once

#include "converter/ir/graph.h"

namespace micrort::quantize {

// Replaces weights and bias of a layer by int8 a channel and int32 at x_scale * scale of the channel. A
// channel whose bias would not fit gets a larger scale.
void QuantizeLayerConstants(ir::Graph* graph, ir::Node* node, float x_scale);

// A float32 constant as int8 with one scale, round half to even.
ir::Value QuantizeConstant(const ir::Value& constant, const ir::Quantization& quantization);

}  // namespace micrort::quantize
