#pragma once
// What operators on images of formats with channels first share: their windows, and the way into NHWC and
// back.

#include <cstdint>

#include "converter/ir/build.h"

namespace micrort::frontend {

// [N,C,H,W] or [N,C,L] → [N,H,W,C], where H = 1 for a sequence; [N,C,D,H,W] → [N,D,H,W,C] and so on.
ir::ValueId ToNhwc(ir::Builder& build, ir::ValueId x, int rank);
// [N,H,W,C] → [N,C,H,W], or [N,C,L] if `rank` is 3; [N,D,H,W,C] → [N,C,D,H,W] and so on.
ir::ValueId FromNhwc(ir::Builder& build, ir::ValueId y, int rank);

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

// Into the fields of these names in the options of Conv2D, DepthwiseConv2D, ConvTranspose2D and Pool2D.
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

}  // namespace micrort::frontend
