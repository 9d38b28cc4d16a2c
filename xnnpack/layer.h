#pragma once
// The part that the algorithms of this folder share: an operator of XNNPACK, and its geometry.

#include <pthreadpool.h>
#include <xnnpack.h>

#include "kernels/base/fixed_array.h"
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

// The elements in XNNPACK's order, [out_c][kernel_h][kernel_w][channels of a group].
template <typename T>
Status Reorder(const Conv2DParams& p, const ConvWeights& weights, FixedArray<T>* out) {
  MICRORT_RETURN_IF_ERROR(out->Allocate(static_cast<size_t>(p.out_c * p.depth())));
  const auto* from = static_cast<const T*>(weights.data);
  T* to = out->data();
  for (int64_t o = 0; o < p.out_c; ++o) {
    for (int64_t k = 0; k < p.depth(); ++k)
      *to++ = from[o * weights.column_stride + k * weights.depth_stride];
  }
  return Status();
}

// The cost of all algorithms here. Nothing is known of it but that they multiply all that there is to
// multiply; they are never chosen by it.
double XnnpackCost(const Conv2DParams& p, const ConvTarget& target);
uint64_t NoScratch(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan);
uint64_t NoPackedWeights(const Conv2DParams& p, const ConvTarget& target);
void KeepWeights(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed);

// The algorithms, and the operators that they run.
extern const Conv2DAlgorithm kXnnpackF32, kXnnpackS8;
Status CreateXnnpackF32(const ConvCall& call, const ConvWeights& weights, const ConvTensors& tensors,
                        ExternalLayer* layer);
Status CreateXnnpackS8(const ConvCall& call, const ConvWeights& weights, const ConvTensors& tensors,
                       ExternalLayer* layer);
// Whether XNNPACK computes layers of these weights, to our bits.
bool TakesXnnpackS8(const Conv2DParams& p, const ConvWeights& weights);

}  // namespace micrort
