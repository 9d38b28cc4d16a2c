#pragma once
// What the operators on images share: how ONNX gives their windows. Operators on sequences [N,C,L] are those
// on images [N,C,1,L]; those on volumes are made of those on images (volume.h).

#include "converter/frontend/common/image.h"
#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// kInvalidModel unless the value has dimensions behind the batch and the channels.
Status CheckImageRank(const ir::Value& x);

// Reads strides, dilations, pads and kernel_shape (which `kernel`, if it is not empty, must equal) for an
// operator on x, whose rank is checked. kInvalidModel on nonsense.
Status ReadWindow(NodeContext& c, const std::vector<int64_t>& kernel, Window* out);

// Reads auto_pad and, where it says so, computes the pads for which output = ceil(input / stride). Where
// these depend on a size that only a run knows, input 0 is replaced by itself padded with `fill`.
Status ApplyAutoPad(NodeContext& c, float fill, Window* window);

}  // namespace micrort::frontend::onnx
