#pragma once
// What operators on images share: their layout, and windows with TensorFlow's padding.

#include "converter/frontend/common/window.h"
#include "converter/frontend/tensorflow/op_context.h"

namespace micrort::frontend::tensorflow {

// Whether data_format says that channels come before the spatial dimensions.
bool IsChannelsFirst(const OpContext& c);

// Between the layout of data_format and [N,H,W,C].
ir::ValueId ToNhwc(OpContext& c, ir::ValueId x);
ir::ValueId FromNhwc(OpContext& c, ir::ValueId y);

// Height and width of a list of four that follows data_format, which must have 1 for batch and channels.
Status ReadSpatial(const OpContext& c, const char* attribute, int64_t WindowAxis::*field, Window* out);
// The same of a list that is none of the attributes.
Status SetSpatial(const OpContext& c, const char* name, const std::vector<int64_t>& list,
                  int64_t WindowAxis::*field, Window* out);

// Reads strides, dilations and padding for x, an image in NHWC, with its kernel set. Where SAME depends on
// sizes that only a run knows, *x is padded with `fill` instead.
Status ReadWindow(OpContext& c, float fill, ir::ValueId* x, Window* window);

}  // namespace micrort::frontend::tensorflow
