#pragma once
// Windows that slide over the dimensions of images and volumes, and their padding.

#include <cstdint>
#include <limits>
#include <vector>

#include "converter/ir/build.h"

namespace micrort::frontend {

// A window along one dimension.
struct WindowAxis {
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t pad_begin = 0, pad_end = 0;

  int64_t span() const { return dilation * (kernel - 1) + 1; }
  // Every position sees itself alone.
  bool is_trivial() const { return kernel == 1 && stride == 1 && pad_begin == 0 && pad_end == 0; }
};

// One entry a spatial dimension, at least two: a sequence has a height of 1 before its length.
struct Window {
  std::vector<WindowAxis> axes = std::vector<WindowAxis>(2);

  size_t spatial() const { return axes.size(); }
  WindowAxis& height() { return axes[axes.size() - 2]; }
  WindowAxis& width() { return axes.back(); }
  const WindowAxis& height() const { return axes[axes.size() - 2]; }
  const WindowAxis& width() const { return axes.back(); }

  // The last two dimensions, into the fields of these names in the options of Conv2D, DepthwiseConv2D,
  // ConvTranspose2D and Pool2D.
  template <typename OptionsT>
  void CopyTo(OptionsT* options) const {
    options->stride_h = static_cast<int32_t>(height().stride);
    options->stride_w = static_cast<int32_t>(width().stride);
    options->dilation_h = static_cast<int32_t>(height().dilation);
    options->dilation_w = static_cast<int32_t>(width().dilation);
    options->pad_top = static_cast<int32_t>(height().pad_begin);
    options->pad_left = static_cast<int32_t>(width().pad_begin);
    options->pad_bottom = static_cast<int32_t>(height().pad_end);
    options->pad_right = static_cast<int32_t>(width().pad_end);
  }
  // With the size of the window, too.
  void CopyTo(schema::Pool2DOptionsT* options) const {
    CopyTo<schema::Pool2DOptionsT>(options);
    options->kernel_h = static_cast<int32_t>(height().kernel);
    options->kernel_w = static_cast<int32_t>(width().kernel);
  }
};

// The most that formats may state as strides, pads ...: sums and products of two fit int64.
constexpr int64_t kMaxExtent = int64_t{1} << 24;
// kInvalidModel unless kernel, stride and dilation are positive, and the stride and what is spanned at most
// `most`: sums and products of two fit int64.
constexpr int64_t kMaxWindow = std::numeric_limits<int32_t>::max() / 4;
Status CheckWindow(const WindowAxis& axis, int64_t most = kMaxWindow);
// kInvalidModel for pads beyond 32 bits.
Status SetPads(int64_t begin, int64_t end, WindowAxis* axis);

// Padding SAME of `size` positions: ceil(size / stride) outputs. What these need beyond the input is split in
// two, the larger half behind, or before it.
Status KeepSize(int64_t size, WindowAxis* axis, bool larger_behind = true);
// Whether a size that is not fixed decides these pads.
inline bool PadsDependOn(int64_t size, const WindowAxis& axis) {
  return size == ir::kDynamic && axis.stride != 1;
}
// x [N,S1,...,Sn,C] with what KeepSize would pad for each axis of the window, filled with `fill`; the model
// computes how much.
ir::ValueId PadSame(ir::Builder& build, ir::ValueId x, const Window& window, float fill,
                    bool larger_behind = true);
// KeepSize for the height and width of an image [N,H,W,C]. Where a run decides them, the model computes the
// pads: *x gets them, filled with `fill`, and the window has none.
Status KeepImageSize(ir::Builder& build, float fill, ir::ValueId* x, Window* window);
// The pooling of x, which is the image, or what KeepImageSize made of it with 0, or for maxima -inf: averages
// are of what is inside of the image.
ir::ValueId Pooled(ir::Builder& build, schema::PoolKind kind, ir::ValueId image, ir::ValueId x,
                   const Window& window);

// Makes the output of a transposed window as large as asked for. Padding cuts off, `same` at both ends, else
// behind; output padding adds at the end.
Status CutToSize(int64_t size, int64_t wanted, bool same, WindowAxis* axis, int32_t* output_pad);

// What operators on images of formats with channels first share: their windows, and the way into NHWC and
// back.

// [N,C,H,W] or [N,C,L] → [N,H,W,C], where H = 1 for a sequence; [N,C,D,H,W] → [N,D,H,W,C] and so on.
ir::ValueId ToNhwc(ir::Builder& build, ir::ValueId x, int rank);
// [N,H,W,C] → [N,C,H,W], or [N,C,L] if `rank` is 3; [N,D,H,W,C] → [N,C,D,H,W] and so on.
ir::ValueId FromNhwc(ir::Builder& build, ir::ValueId y, int rank);

}  // namespace micrort::frontend
