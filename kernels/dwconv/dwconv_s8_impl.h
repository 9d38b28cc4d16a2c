#pragma once
// The int8 depthwise micro-kernel over a vector type I of eight int32 lanes (kernels/base/simd/vec8.h), MR
// pixels at a time.

#include "kernels/dwconv/dwconv_s8.h"

namespace micrort {
namespace {

// Channels [c, c + 8); load(p) reads those that exist.
template <typename I, int MR, typename Load>
inline void DwConvS8Block(const DwConvS8Tile& t, size_t c, Load load) {
  I acc[MR];
#pragma GCC unroll 8
  for (int i = 0; i < MR; ++i) acc[i] = I::Zero();
  const int8_t* w = t.w + c * t.taps;
  for (size_t tap = 0; tap < t.taps; ++tap, w += 8) {
    const I wv = I::Load(w);
#pragma GCC unroll 8
    for (int i = 0; i < MR; ++i) {
      acc[i] = acc[i] + load(t.x[tap * MR + static_cast<size_t>(i)] + t.x_offset + c) * wv;
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < MR; ++i) acc[i].Store(t.acc + static_cast<size_t>(i) * t.acc_stride + c);
}

template <typename I, int MR>
inline void DwConvS8(const DwConvS8Tile& t) {
  size_t c = 0;
  for (; c + 8 <= t.channels; c += 8) {
    DwConvS8Block<I, MR>(t, c, [](const int8_t* p) { return I::Load(p); });
  }
  if (c == t.channels) return;
  const size_t n = t.channels - c;
  DwConvS8Block<I, MR>(t, c, [n](const int8_t* p) { return I::LoadPartial(p, n); });
}

}  // namespace
}  // namespace micrort
