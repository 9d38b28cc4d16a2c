#pragma once
// Taps of int8 depthwise convolution as dot products take them: the bytes of up to four rows of a column are
// interleaved, so that one instruction takes four taps of each of four channels.

#include "arm/neon/dwconv_s8_block.h"

namespace micrort {
namespace {

constexpr int kDotRows = 4;  // of the filter side by side in packed weights

// Four taps of each of eight channels.
struct DotTaps {
  static constexpr size_t kBytes = kDwConvS8Lanes * kDotRows;
  int8x16_t low, high;

  static DotTaps Load(const int8_t* p) { return {vld1q_s8(p), vld1q_s8(p + 16)}; }
};

// The taps of one column, eight channels in the lower half of each row. Rows that are missing repeat others:
// their weights are zero.
template <int kRows>
inline DotTaps Interleave(const int8x16_t (&rows)[kRows]) {
  const auto pair = [&](int i) {
    return vreinterpretq_s16_s8(vzip1q_s8(rows[i], rows[i + 1 < kRows ? i + 1 : i]));
  };
  const int16x8_t first = pair(0), second = kRows > 2 ? pair(2 % kRows) : first;
  return {vreinterpretq_s8_s16(vzip1q_s16(first, second)), vreinterpretq_s8_s16(vzip2q_s16(first, second))};
}

inline DwConvS8Sums Dot(DwConvS8Sums s, DotTaps x, DotTaps w) {
  return {vdotq_s32(s.low, x.low, w.low), vdotq_s32(s.high, x.high, w.high)};
}

}  // namespace
}  // namespace micrort
