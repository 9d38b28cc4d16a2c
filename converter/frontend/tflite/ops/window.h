#pragma once
// Windows that slide over the two middle dimensions of [N,H,W,C].

#include "converter/frontend/common/same_padding.h"
#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

struct WindowAxis {
  int64_t kernel = 1, stride = 1, dilation = 1;
  int32_t pad_begin = 0, pad_end = 0;

  int64_t span() const { return (kernel - 1) * dilation + 1; }
};

// Fills in the padding over a dimension of this size; kUnsupported where that depends on a size that is not
// fixed.
Status SettlePadding(fb::Padding padding, int64_t size, WindowAxis* axis);

// The two axes of a window over x [N,H,W,C], with its padding.
struct Window {
  WindowAxis h, w;

  Strides strides() const { return {{h.stride, w.stride}, {h.span(), w.span()}}; }

  template <typename OptionsT>
  void CopyTo(OptionsT* options) const {
    options->stride_h = static_cast<int32_t>(h.stride), options->stride_w = static_cast<int32_t>(w.stride);
    options->dilation_h = static_cast<int32_t>(h.dilation),
    options->dilation_w = static_cast<int32_t>(w.dilation);
    options->pad_top = h.pad_begin, options->pad_bottom = h.pad_end;
    options->pad_left = w.pad_begin, options->pad_right = w.pad_end;
  }
};
Status SettlePadding(fb::Padding padding, const ir::Value& x, Window* window);
// The same for input 0, x. Where padding depends on a size that is not fixed, the model computes it: x gets
// the padding, filled with `fill`, and the window has none. x is quantized then as the input is.
Status SettlePadding(OpContext& c, fb::Padding padding, float fill, ir::ValueId* x, Window* window);

// Of a transposed window: what makes the output as large as asked for. Padding cuts off, output padding adds
// at the end.
Status SettleTransposedPadding(fb::Padding padding, int64_t size, int64_t wanted, WindowAxis* axis,
                               int32_t* output_pad);

}  // namespace micrort::frontend::tflite
