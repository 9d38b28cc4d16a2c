#pragma once
// Squeeze and Unsqueeze by axes that are no constant: a Reshape to a shape that small integer operators
// compute when shapes are planned. `axes` is a vector of `count` elements, >= 1.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

ir::ValueId SqueezeComputed(NodeContext& c, ir::ValueId x, ir::ValueId axes, int count);
ir::ValueId UnsqueezeComputed(NodeContext& c, ir::ValueId x, ir::ValueId axes, int count);

}  // namespace micrort::frontend::onnx
