#pragma once
// What operators on images share: their layout, and windows with TensorFlow's padding.

#include "converter/frontend/common/same_padding.h"
#include "converter/frontend/tensorflow/op_context.h"

namespace micrort::frontend::tensorflow {

// Whether data_format says that channels come before the spatial dimensions.
bool IsChannelsFirst(const OpContext& c);

// Between the layout of data_format and [N,H,W,C].
ir::ValueId ToNhwc(OpContext& c, ir::ValueId x);
ir::ValueId FromNhwc(OpContext& c, ir::ValueId y);

// A window over height and width.
struct Window {
  int32_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1};
  int32_t pad_begin[2] = {0, 0}, pad_end[2] = {0, 0};

  int64_t span(int i) const { return int64_t{dilation[i]} * (kernel[i] - 1) + 1; }
  Strides strides() const { return {{stride[0], stride[1]}, {span(0), span(1)}}; }
};

template <typename OptionsT>
void SetWindow(const Window& w, OptionsT* options) {
  options->stride_h = w.stride[0];
  options->stride_w = w.stride[1];
  options->dilation_h = w.dilation[0];
  options->dilation_w = w.dilation[1];
  options->pad_top = w.pad_begin[0];
  options->pad_left = w.pad_begin[1];
  options->pad_bottom = w.pad_end[0];
  options->pad_right = w.pad_end[1];
}

// Height and width of a list of four that follows data_format, which must have 1 for batch and channels.
Status ReadSpatial(const OpContext& c, const char* attribute, int32_t (*out)[2]);

// Reads strides, dilations and padding for x, an image in NHWC, with kernel[] set. Where SAME depends on
// sizes that only a run knows, *x is padded with `fill` instead.
Status ReadWindow(OpContext& c, float fill, ir::ValueId* x, Window* window);

}  // namespace micrort::frontend::tensorflow
