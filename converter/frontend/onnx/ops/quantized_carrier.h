#pragma once

#include "converter/ir/graph.h"

namespace micrort::frontend::onnx {

// In our graphs a quantization belongs to the value that is read, in ONNX to the operator that reads it.
// Gives the value this quantization, and what it was moved from. False, and nothing is changed, where that
// would change the meaning of the value for somebody else.
bool CarryQuantization(ir::Graph* graph, ir::ValueId id, const ir::Quantization& quantization);

}  // namespace micrort::frontend::onnx
