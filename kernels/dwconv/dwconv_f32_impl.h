#pragma once
// The float depthwise micro-kernel over a vector type F of eight lanes (kernels/base/simd/vec8.h): MR pixels
// at a time, NV blocks of eight channels at a time.

#include "kernels/dwconv/dwconv_f32.h"

namespace micrort {
namespace {

template <typename F, int MR, int NV>
struct DwConvF32Block {
  // Channels [c, c + 8 * NV), all of which exist.
  static void Run(const DwConvF32Tile& t, size_t c) {
    F acc[MR][NV];
    Multiply(t, c, acc);
    // Unrolled, so that the sums stay in registers.
#pragma GCC unroll 8
    for (size_t i = 0; i < MR; ++i) {
      if (i >= t.m) break;
#pragma GCC unroll 8
      for (size_t j = 0; j < NV; ++j) {
        const size_t at = c + 8 * j;
        F v = acc[i][j];
        if (t.start != nullptr) v = F::Load(t.start + i * t.y_stride + at) + v;
        if (t.bias != nullptr) v = v + F::Load(t.bias + at);
        Clamp(t, v).Store(t.y + i * t.y_stride + at);
      }
    }
  }

  static void Multiply(const DwConvF32Tile& t, size_t c, F (&acc)[MR][NV]) {
#pragma GCC unroll 8
    for (int i = 0; i < MR; ++i) {
#pragma GCC unroll 8
      for (int j = 0; j < NV; ++j) acc[i][j] = F::Zero();
    }
    const float* w = t.w + c * t.taps;
    for (size_t tap = 0; tap < t.taps; ++tap, w += 8) {
      F wv[NV];
#pragma GCC unroll 8
      for (int j = 0; j < NV; ++j) wv[j] = F::Load(w + static_cast<size_t>(j) * t.taps * 8);
#pragma GCC unroll 8
      for (int i = 0; i < MR; ++i) {
        const float* x = t.x[tap * MR + static_cast<size_t>(i)] + c;
#pragma GCC unroll 8
        for (int j = 0; j < NV; ++j) acc[i][j] = Fma(F::Load(x + 8 * j), wv[j], acc[i][j]);
      }
    }
  }

  // In this order of operands a NaN passes through.
  static F Clamp(const DwConvF32Tile& t, F v) { return Max(F::Broadcast(t.lo), Min(F::Broadcast(t.hi), v)); }
};

// The last channels of a pixel, fewer than eight.
template <typename F, int MR>
inline void DwConvF32Tail(const DwConvF32Tile& t, size_t c) {
  const size_t n = t.channels - c;
  for (size_t i = 0; i < t.m; ++i) {
    F acc = F::Zero();
    const float* w = t.w + c * t.taps;
    for (size_t tap = 0; tap < t.taps; ++tap, w += 8) {
      acc = Fma(F::LoadPartial(t.x[tap * MR + i] + c, n), F::Load(w), acc);
    }
    if (t.start != nullptr) acc = F::LoadPartial(t.start + i * t.y_stride + c, n) + acc;
    if (t.bias != nullptr) acc = acc + F::LoadPartial(t.bias + c, n);
    DwConvF32Block<F, MR, 1>::Clamp(t, acc).StorePartial(t.y + i * t.y_stride + c, n);
  }
}

template <typename F, int MR, int NV>
inline void DwConvF32(const DwConvF32Tile& t) {
  size_t c = 0;
  for (; c + 8 * NV <= t.channels; c += 8 * NV) DwConvF32Block<F, MR, NV>::Run(t, c);
  for (; c + 8 <= t.channels; c += 8) DwConvF32Block<F, MR, 1>::Run(t, c);
  if (c < t.channels) DwConvF32Tail<F, MR>(t, c);
}

}  // namespace
}  // namespace micrort
