#pragma once
// The int8 depthwise micro-kernel, MR pixels and eight channels at a time, two taps at a time. `Ops` holds
// what differs between instruction sets:
//   Sums     eight int32, as S32x8 of kernels/base/simd/vec8.h
//   Bytes    eight int8; Load(p) reads them
//   Weights  those of two taps; Pair(w0, w1) makes them
//   MulAdd(sums, x0, x1, weights)   sums + x0 * w0 + x1 * w1, exactly

#include "kernels/dwconv/dwconv_s8.h"

namespace micrort {
namespace {

// Channels [c, c + 8); load(p) reads those that exist.
template <typename Ops, int MR, typename Load>
inline void DwConvS8Block(const DwConvS8Tile& t, size_t c, Load load) {
  typename Ops::Sums sums[MR];
#pragma GCC unroll 8
  for (int i = 0; i < MR; ++i) sums[i] = Ops::Sums::Zero();
  const int8_t* w = t.w + c * t.taps;
  const size_t offset = t.x_offset + c;
  size_t tap = 0;
  for (; tap + 2 <= t.taps; tap += 2, w += 16) {
    const int8_t *const *x0 = t.columns[tap], *const *x1 = t.columns[tap + 1];
    const auto weights = Ops::Pair(Ops::Load(w), Ops::Load(w + 8));
#pragma GCC unroll 8
    for (int i = 0; i < MR; ++i) {
      sums[i] = Ops::MulAdd(sums[i], load(x0[i * t.step] + offset), load(x1[i * t.step] + offset), weights);
    }
  }
  if (tap < t.taps) {
    constexpr int8_t kZeros[8] = {};
    const int8_t* const* x = t.columns[tap];
    const auto weights = Ops::Pair(Ops::Load(w), Ops::Load(kZeros));
#pragma GCC unroll 8
    for (int i = 0; i < MR; ++i) {
      const auto last = load(x[i * t.step] + offset);
      sums[i] = Ops::MulAdd(sums[i], last, last, weights);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < MR; ++i) sums[i].Store(t.acc + static_cast<size_t>(i) * t.acc_stride + c);
}

template <typename Ops, int MR>
inline void DwConvS8(const DwConvS8Tile& t) {
  size_t c = 0;
  for (; c + 8 <= t.channels; c += 8) DwConvS8Block<Ops, MR>(t, c, Ops::Load);
  if (c == t.channels) return;
  DwConvS8Block<Ops, MR>(t, c, [n = t.channels - c](const int8_t* p) {
    int8_t bytes[8] = {};
    __builtin_memcpy(bytes, p, n);
    return Ops::Load(bytes);
  });
}

}  // namespace
}  // namespace micrort
