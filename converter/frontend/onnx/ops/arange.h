#pragma once
// Counting.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// Element i of a vector, as a scalar.
ir::ValueId ScalarAt(NodeContext& c, ir::ValueId vector, int64_t i);

// 0, 1 ... count - 1, of the type of `count`, a scalar, int32 or int64.
ir::ValueId Arange(NodeContext& c, ir::ValueId count);

}  // namespace micrort::frontend::onnx
