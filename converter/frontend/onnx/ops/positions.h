#pragma once
// Tensors that count.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// 0, 1, 2 ... (int64), one for each element of dimension `axis` of x, which need not be fixed.
ir::ValueId PositionsAlong(NodeContext& c, ir::ValueId x, int axis);

}  // namespace micrort::frontend::onnx
