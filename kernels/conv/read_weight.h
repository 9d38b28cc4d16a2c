#pragma once
// One weight as the float that kernels compute with, for packing that combines several of them.

#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Element k of a column.
inline float ReadWeight(const Conv2DParams& p, const ConvWeights& w, int64_t column, int64_t k) {
  const int64_t channels = p.group_channels();
  if (w.taps != nullptr) k = w.taps[k / channels] * channels + k % channels;
  const int64_t at = column * w.column_stride + k * w.depth_stride;
  switch (p.types.weights) {
    case DType::kInt8:
      return static_cast<float>(static_cast<const int8_t*>(w.data)[at]) * w.scales[column * w.scale_stride];
    case DType::kInt4: {
      const int64_t scale = column * w.scale_stride + (w.group == 0 ? 0 : k / w.group);
      return static_cast<float>(ReadInt4(static_cast<const uint8_t*>(w.data), at) -
                                w.grid.zero_point(scale)) *
             w.grid.scale(scale);
    }
    case DType::kFloat16:
      return HalfToFloat(static_cast<const uint16_t*>(w.data)[at]);
    default:
      return static_cast<const float*>(w.data)[at];
  }
}

}  // namespace micrort
