#pragma once
// Padding SAME of images [N,H,W,C] whose height and width are known when sizes are set: ceil(size / stride)
// outputs; what these need beyond the image is split in two, the larger half behind.

#include <cstdint>

#include "converter/ir/build.h"

namespace micrort::frontend {

// A window over height and width: its stride, and how many pixels it covers, dilation included.
struct Strides {
  int64_t stride[2], span[2];
};
// x with pads that the model computes.
ir::ValueId PadSame(ir::Builder& build, ir::ValueId x, const Strides& window, float fill);
// An average of what PadSame filled with 0 counts the fill. The average of what is inside of the image:
// options are those of the pooling of the padded image, y its result.
ir::ValueId WithoutPadding(ir::Builder& build, ir::ValueId image, const Strides& window,
                           const schema::Pool2DOptionsT& options, ir::ValueId y);

}  // namespace micrort::frontend
