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

// |sum| < 2^47. Halves up; saturated to 31 bits.
inline int32_t MultiplyWide(int64_t sum, FixedMultiplier by) {
  // Most sums have 32 bits, and most shifts are such that the upper half of a product is the result.
  constexpr int32_t kHalf = 32, kBits = 15;
  const auto narrow = static_cast<int32_t>(sum);
  if (narrow == sum && by.shift > kBits && by.shift <= kHalf) {
    const int64_t product = int64_t{narrow} * (by.multiplier << (kHalf - by.shift));
    return static_cast<int32_t>((product + (int64_t{1} << (kHalf - 1))) >> kHalf);
  }
  // One shift of 64 bits, which takes long where registers have 32: the last bit that it leaves is the half.
  const int64_t twice = (sum * by.multiplier) >> (by.shift - 1);
  const auto saturated = static_cast<int32_t>(std::clamp<int64_t>(twice, INT32_MIN, INT32_MAX));
  return (saturated >> 1) + (saturated & 1);
}

}  // namespace micrort
