#pragma once
// The logits of a decoder for the last position alone.

#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// The output 'logits', [batch, positions, vocabulary], gets one position, the last. What computes it position
// by position from the layer before (products with weights, element-wise functions) computes that one alone.
// *notes says so if no product is among these. kUnsupported if there is no such output.
Status LastLogits(Graph* graph, std::vector<std::string>* notes);

}  // namespace micrort::ir
