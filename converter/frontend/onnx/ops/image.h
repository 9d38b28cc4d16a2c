#pragma once
// What the operators on images share: their window, and the way into NHWC and back. Operators on sequences
// [N,C,L] are those on images [N,C,1,L].

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend {

// kUnsupported unless the value has 3 or 4 dimensions.
Status CheckImageRank(const ir::Value& x);

// [N,C,H,W] or [N,C,L] → [N,H,W,C], where H = 1 for a sequence.
ir::ValueId ToNhwc(NodeContext& c, ir::ValueId x, int rank);
// [N,H,W,C] → [N,C,H,W], or [N,C,L] if `rank` is 3.
ir::ValueId FromNhwc(NodeContext& c, ir::ValueId y, int rank);

// Index 0 is the height, 1 the width.
struct Window {
  int32_t kernel[2] = {1, 1};
  int32_t stride[2] = {1, 1};
  int32_t dilation[2] = {1, 1};
  int32_t pad_begin[2] = {0, 0};
  int32_t pad_end[2] = {0, 0};

  int64_t span(int i) const { return int64_t{dilation[i]} * (kernel[i] - 1) + 1; }

  // The fields of the same names in the options of Conv2D, DepthwiseConv2D, ConvTranspose2D and Pool2D.
  template <typename OptionsT>
  void CopyTo(OptionsT* options) const {
    options->stride_h = stride[0];
    options->stride_w = stride[1];
    options->dilation_h = dilation[0];
    options->dilation_w = dilation[1];
    options->pad_top = pad_begin[0];
    options->pad_left = pad_begin[1];
    options->pad_bottom = pad_end[0];
    options->pad_right = pad_end[1];
  }
};

// Reads strides, dilations, pads and kernel_shape (which `kernel`, if it is not empty, must equal) for an
// operator on x, whose rank is checked. kInvalidModel on nonsense.
Status ReadWindow(NodeContext& c, const std::vector<int64_t>& kernel, Window* out);

// Reads auto_pad and, where it says so, computes the pads for which output = ceil(input / stride).
Status ApplyAutoPad(NodeContext& c, Window* window);

}  // namespace micrort::frontend
