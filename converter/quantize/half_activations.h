#pragma once

#include "converter/ir/graph.h"

namespace micrort::quantize {

// Values between layers that multiply halves (AllowHalfArithmetic, before), and of what lies between these,
// become halves; inputs and outputs of the graph stay float. Bodies of If and Loop stay as they are.
// Returns how many nodes compute on halves now.
size_t StoreActivationsAsHalf(ir::Graph* graph);

}  // namespace micrort::quantize
