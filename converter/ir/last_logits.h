#pragma once
// The logits of a decoder for the last position alone.

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// The output 'logits', [batch, positions, vocabulary], gets one position, the last. What computes it position
// by position from the layer before (products with weights, element-wise functions) computes that one alone.
// kUnsupported if there is no such output.
Status LastLogits(Graph* graph);

}  // namespace micrort::ir
