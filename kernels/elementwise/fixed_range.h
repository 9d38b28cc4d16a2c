#pragma once
// Bounds of real numbers as integers of a quantized type.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/elementwise/convert_f32.h"

namespace micrort {

// The integer that stands for a bound, halves away from zero.
template <typename T>
int32_t IntegerBound(float x, const QuantizationParams& q) {
  using Limits = std::numeric_limits<T>;
  const float integer = std::round(x / q.scale) + static_cast<float>(q.zero_point);
  return static_cast<int32_t>(
      std::clamp(integer, static_cast<float>(Limits::min()), static_cast<float>(Limits::max())));
}

}  // namespace micrort
