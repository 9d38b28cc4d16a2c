#pragma once
// What the operators on images share: their window, and the way into NHWC and back. Operators on sequences
// [N,C,L] are those on images [N,C,1,L]; those on volumes are made of those on images (volume.h).

#include <optional>

#include "converter/frontend/onnx/node_context.h"

namespace micrort::frontend::onnx {

// kInvalidModel unless the value has dimensions behind the batch and the channels.
Status CheckImageRank(const ir::Value& x);

// [N,C,H,W] or [N,C,L] → [N,H,W,C], where H = 1 for a sequence; [N,C,D,H,W] → [N,D,H,W,C] and so on.
ir::ValueId ToNhwc(NodeContext& c, ir::ValueId x, int rank);
// [N,H,W,C] → [N,C,H,W], or [N,C,L] if `rank` is 3; [N,D,H,W,C] → [N,C,D,H,W] and so on.
ir::ValueId FromNhwc(NodeContext& c, ir::ValueId y, int rank);

// A window along one dimension.
struct WindowAxis {
  int32_t kernel = 1;
  int32_t stride = 1;
  int32_t dilation = 1;
  int32_t pad_begin = 0;
  int32_t pad_end = 0;

  int64_t span() const { return int64_t{dilation} * (kernel - 1) + 1; }
  // Every position sees itself alone.
  bool is_trivial() const { return kernel == 1 && stride == 1 && pad_begin == 0 && pad_end == 0; }
};

template <typename OptionsT>
void SetWindow(const WindowAxis& height, const WindowAxis& width, OptionsT* options) {
  options->stride_h = height.stride;
  options->stride_w = width.stride;
  options->dilation_h = height.dilation;
  options->dilation_w = width.dilation;
  options->pad_top = height.pad_begin;
  options->pad_left = width.pad_begin;
  options->pad_bottom = height.pad_end;
  options->pad_right = width.pad_end;
}

// One entry a spatial dimension, at least two: a sequence has a height of 1 before its length.
struct Window {
  std::vector<WindowAxis> axes;

  size_t spatial() const { return axes.size(); }
  const WindowAxis& height() const { return axes[axes.size() - 2]; }
  const WindowAxis& width() const { return axes.back(); }

  // The last two dimensions, into the fields of these names in the options of Conv2D, DepthwiseConv2D,
  // ConvTranspose2D and Pool2D.
  template <typename OptionsT>
  void CopyTo(OptionsT* options) const {
    SetWindow(height(), width(), options);
  }
};

// Reads strides, dilations, pads and kernel_shape (which `kernel`, if it is not empty, must equal) for an
// operator on x, whose rank is checked. kInvalidModel on nonsense.
Status ReadWindow(NodeContext& c, const std::vector<int64_t>& kernel, Window* out);

// Reads auto_pad and, where it says so, computes the pads for which output = ceil(input / stride). Where
// these depend on a size that only a run knows, input 0 is replaced by itself padded with `fill`; without one
// that is kUnsupported.
Status ApplyAutoPad(NodeContext& c, std::optional<float> fill, Window* window);

}  // namespace micrort::frontend::onnx
