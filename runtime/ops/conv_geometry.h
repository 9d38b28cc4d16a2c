#pragma once
// Strides, dilations and padding of the convolution operators.

#include <cstdint>

#include "kernels/base/status.h"

namespace micrort {

struct ConvGeometry {
  int64_t stride_h, stride_w;
  int64_t dilation_h, dilation_w;
  int64_t pad_top, pad_left, pad_bottom, pad_right;
};

// From any options table with these fields. kInvalidModel unless strides and dilations are positive and pads
// are not negative.
template <typename Options>
Status ParseGeometry(const Options& o, ConvGeometry* g) {
  *g = {o.stride_h(), o.stride_w(), o.dilation_h(), o.dilation_w(),
        o.pad_top(),  o.pad_left(), o.pad_bottom(), o.pad_right()};
  if (g->stride_h <= 0 || g->stride_w <= 0 || g->dilation_h <= 0 || g->dilation_w <= 0) {
    return MICRORT_ERROR(kInvalidModel, "strides %dx%d and dilations %dx%d must be positive", o.stride_h(),
                         o.stride_w(), o.dilation_h(), o.dilation_w());
  }
  if (g->pad_top < 0 || g->pad_left < 0 || g->pad_bottom < 0 || g->pad_right < 0) {
    return MICRORT_ERROR(kInvalidModel, "padding %d, %d, %d, %d must not be negative", o.pad_top(),
                         o.pad_left(), o.pad_bottom(), o.pad_right());
  }
  return Status();
}

// Output height or width of a convolution: 1 + (in + pads - dilation * (kernel - 1) - 1) / stride.
// kInvalidModel if the kernel does not fit into the padded input.
Status ConvOutputSize(const char* axis, int64_t in, int64_t kernel, int64_t stride, int64_t dilation,
                      int64_t pads, int64_t* out);

}  // namespace micrort
