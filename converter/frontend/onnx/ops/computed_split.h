#pragma once
// Parts whose sizes the graph computes.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// Part i of x, cut along the axis into parts of these sizes (a vector of int64).
ir::ValueId PartBySizes(NodeContext& c, ir::ValueId x, ir::ValueId sizes, int axis, size_t i);

}  // namespace micrort::frontend::onnx
