#pragma once
// What the algorithms of this folder share: an operator of XNNPACK, and its geometry.

#include <pthreadpool.h>
#include <xnnpack.h>

#include "kernels/conv_call/external_library.h"

namespace micrort {

struct ExternalLayer {
  xnn_operator_t op;
  pthreadpool_t threads;  // null: the calling thread alone
};

// Whether XNNPACK's operator has the output of such a layer, with padding that it can express.
bool HasXnnpackGeometry(const Conv2DParams& p);

struct XnnpackGeometry {
  uint32_t pad_top, pad_right, pad_bottom, pad_left;
  uint32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w;
  uint32_t groups;
  size_t group_channels, group_columns, in_c, out_c;
  uint32_t flags;

  explicit XnnpackGeometry(const Conv2DParams& p);
};

// Names the call that failed.
Status XnnpackError(xnn_status status, const char* call);

// The algorithms, and the operators that they run.
extern const Conv2DAlgorithm kXnnpackF32;
Status CreateXnnpackF32(const ConvCall& call, const ConvWeights& weights, const ConvTensors& tensors,
                        ExternalLayer* layer);

}  // namespace micrort
