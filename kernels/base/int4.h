#pragma once
// Two 4-bit integers a byte, the first in the lower half.

#include <cstdint>

#include "kernels/base/half.h"

namespace micrort {

// Builds of int8 layers alone have no weights of 4 bits.
#if defined(MICRORT_NO_FLOAT_LAYERS)
constexpr bool kHasInt4Layers = false;
#else
constexpr bool kHasInt4Layers = true;
#endif

constexpr int kMaxInt4 = 7;
// A zero point of weights that needs no place: they are those with a zero point of 0 and the negative scale
// whose bits are all turned, -1 less what they were.
constexpr int kTurnedInt4 = -1;

inline int ReadInt4(const uint8_t* data, int64_t i) {
  const int half = i % 2 == 0 ? data[i / 2] & 15 : data[i / 2] >> 4;
  return (half ^ 8) - 8;
}

// Scales and zero points of int4 weights or rows of a table, in the order of the file. Scales are floats or
// halves; zero points are int32 or int4, or none, which stands for 0.
#if defined(MICRORT_NO_FLOAT_LAYERS)
struct Int4Grid {
  static Int4Grid Of(const float*, const uint16_t*, const int32_t*, const uint8_t*) { return {}; }
  bool has_half_scales() const { return false; }
  float scale(int64_t) const { return 1.0f; }
  int zero_point(int64_t) const { return 0; }
  bool has_zero_points() const { return false; }
  Int4Grid From(int64_t) const { return {}; }
};
#else
struct Int4Grid {
  const float* scales = nullptr;
  const uint16_t* half_scales = nullptr;
  const int32_t* zero_points = nullptr;
  const uint8_t* int4_zero_points = nullptr;
  int64_t first = 0;  // what index 0 stands for

  static Int4Grid Of(const float* scales, const uint16_t* half_scales, const int32_t* zero_points,
                     const uint8_t* int4_zero_points) {
    return {scales, half_scales, zero_points, int4_zero_points, 0};
  }
  bool has_half_scales() const { return half_scales != nullptr; }
  float scale(int64_t i) const {
    return half_scales != nullptr ? HalfToFloat(half_scales[first + i]) : scales[first + i];
  }
  int zero_point(int64_t i) const {
    if (int4_zero_points != nullptr) return ReadInt4(int4_zero_points, first + i);
    return zero_points == nullptr ? 0 : zero_points[first + i];
  }
  bool has_zero_points() const { return zero_points != nullptr || int4_zero_points != nullptr; }
  Int4Grid From(int64_t i) const {
    Int4Grid grid = *this;
    grid.first += i;
    return grid;
  }
};
#endif

}  // namespace micrort
