#pragma once
// To what size ONNX's Resize brings its input.

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// One entry a dimension of the input, in the order of `layout`; kNoValue where nothing is said.
struct ResizeTarget {
  ir::ValueId roi = ir::kNoValue;     // float32, all starts, then all ends
  ir::ValueId scales = ir::kNoValue;  // float32
  ir::ValueId sizes = ir::kNoValue;   // int64
};

// Reads scales, sizes, axes, keep_aspect_ratio_policy and, if the input is cropped, the roi, whether they are
// constants or computed. layout[i]: the dimension of the input that comes i-th.
Status ReadResizeTarget(NodeContext& c, const std::vector<int>& layout, bool crops, ResizeTarget* out);

}  // namespace micrort::frontend::onnx
