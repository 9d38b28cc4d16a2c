#pragma once
// Inputs and outputs of int16 (--io-type int16).

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::qdq {

// Floats that callers give and get become the integers that the operator of int16 behind or before them has.
// kInvalidArgument where there is none.
Status SetInt16Edges(ir::Graph* graph);

}  // namespace micrort::qdq
