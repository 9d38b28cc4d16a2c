#pragma once
// How TensorFlow Lite's reference kernels multiply sums of 64 bits: once, by a number of 15 bits.

#include <algorithm>
#include <cstdint>

#include "kernels/base/fixed_point.h"

namespace micrort {

// What the multiplier of 31 bits is rounded to; its shift is to the right, and by one bit at least where the
// number is below kMaxScaleRatioS16.
inline FixedMultiplier WideMultiplier(FixedMultiplier by) {
  constexpr int32_t kLargest = 0x7fff;
  const int64_t rounded = (int64_t{by.multiplier} + (1 << 15)) >> 16;
  return {static_cast<int32_t>(std::min<int64_t>(rounded, kLargest)), 15 - by.shift};
}

// |sum| < 2^47. Halves up; saturated.
inline int32_t MultiplyWide(int64_t sum, FixedMultiplier by) {
  const int64_t product = (sum * by.multiplier + (int64_t{1} << (by.shift - 1))) >> by.shift;
  return static_cast<int32_t>(std::clamp<int64_t>(product, INT32_MIN, INT32_MAX));
}

}  // namespace micrort
