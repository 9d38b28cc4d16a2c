#pragma once
// The float depthwise micro-kernel over a vector type F of floats (as F32x8 of kernels/base/simd/vec8.h): M
// pixels and V vectors of channels at a time.

#include "kernels/dwconv/dwconv_f32.h"

namespace micrort {
namespace {

template <typename F>
constexpr int kDwConvLanesOf = sizeof(F) / sizeof(float);

// A vector of channels, or the last few of them.
template <typename F>
struct DwConvWhole {
  F Load(const float* p) const { return F::Load(p); }
  void Store(F v, float* p) const { v.Store(p); }
};
template <typename F>
struct DwConvPartial {
  size_t count;
  F Load(const float* p) const { return F::LoadPartial(p, count); }
  void Store(F v, float* p) const { v.StorePartial(p, count); }
};

// Sums of M pixels and V vectors of channels over one row of a filter of KW taps side by side, pixels S
// columns apart. Each column is loaded once, for all pixels that it lies under.
template <typename F, int M, int V, int KW, int S>
struct DwConvSlide {
  static constexpr int kPixels = M, kVectors = V, kLanes = kDwConvLanesOf<F>;
  template <typename Access>
  static void Row(const DwConvF32Tile& t, const float* const* const* columns, size_t offset, const float* w,
                  Access access, F (&acc)[M][V]) {
    const float* const* x = columns[0];
    const size_t next = kLanes * KW * t.kernel_h;  // weights of the next channels
    F weights[KW][V];
#pragma GCC unroll 8
    for (int k = 0; k < KW; ++k) {
#pragma GCC unroll 2
      for (int j = 0; j < V; ++j) weights[k][j] = F::Load(w + kLanes * k + next * j);
    }
#pragma GCC unroll 32
    for (int column = 0; column < (M - 1) * S + KW; ++column) {
#pragma GCC unroll 2
      for (int j = 0; j < V; ++j) {
        const F v = access.Load(x[column] + offset + kLanes * j);
#pragma GCC unroll 8
        for (int k = 0; k < KW; ++k) {
          const int pixel = (column - k) / S;
          if (column >= k && (column - k) % S == 0 && pixel < M) {
            acc[pixel][j] = Fma(v, weights[k][j], acc[pixel][j]);
          }
        }
      }
    }
  }
};

// The same for filters of any width and steps, and one vector.
template <typename F, int M>
struct DwConvAnyRow {
  static constexpr int kPixels = M, kVectors = 1, kLanes = kDwConvLanesOf<F>;
  template <typename Access>
  static void Row(const DwConvF32Tile& t, const float* const* const* columns, size_t offset, const float* w,
                  Access access, F (&acc)[M][1]) {
    for (size_t k = 0; k < t.kernel_w; ++k, w += kLanes) {
      const float* const* x = columns[k];
      const F weights = F::Load(w);
#pragma GCC unroll 8
      for (int i = 0; i < M; ++i) {
        acc[i][0] = Fma(access.Load(x[i * t.step] + offset), weights, acc[i][0]);
      }
    }
  }
};

// Channels of the tile from c on, kVectors vectors, as many of the last one as `access` says.
template <typename F, typename Rows, typename Access>
inline void DwConvF32Block(const DwConvF32Tile& t, size_t c, Access access) {
  constexpr int M = Rows::kPixels, V = Rows::kVectors, kLanes = Rows::kLanes;
  F acc[M][V];
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 2
    for (int j = 0; j < V; ++j) acc[i][j] = F::Zero();
  }
  const float* w = t.w + c * t.kernel_h * t.kernel_w;
  for (size_t ky = 0; ky < t.kernel_h; ++ky, w += kLanes * t.kernel_w) {
    Rows::Row(t, t.columns + ky * t.kernel_w, c, w, access, acc);
  }
  const F lo = F::Broadcast(t.lo), hi = F::Broadcast(t.hi);
  // Unrolled, so that the sums stay in registers.
#pragma GCC unroll 8
  for (size_t i = 0; i < M; ++i) {
    if (i >= t.m) break;
#pragma GCC unroll 2
    for (size_t j = 0; j < V; ++j) {
      const size_t at = c + kLanes * j;
      F v = acc[i][j];
      if (t.bias != nullptr) v = v + access.Load(t.bias + at);
      if (t.start != nullptr) v = access.Load(t.start + i * t.y_stride + at) + v;
      // In this order of operands a NaN passes through.
      access.Store(Max(lo, Min(hi, v)), t.y + i * t.y_stride + at);
    }
  }
}

template <typename F, typename Rows, typename Narrow>
inline void DwConvF32Channels(const DwConvF32Tile& t) {
  constexpr size_t kLanes = Rows::kLanes, kStep = kLanes * Rows::kVectors;
  size_t c = 0;
  for (; c + kStep <= t.channels; c += kStep) DwConvF32Block<F, Rows>(t, c, DwConvWhole<F>());
  for (; c + kLanes <= t.channels; c += kLanes) DwConvF32Block<F, Narrow>(t, c, DwConvWhole<F>());
  if (c < t.channels) DwConvF32Block<F, Narrow>(t, c, DwConvPartial<F>{t.channels - c});
}

// For filters of any shape.
template <typename F, int M>
inline void DwConvF32Any(const DwConvF32Tile& t) {
  DwConvF32Channels<F, DwConvAnyRow<F, M>, DwConvAnyRow<F, M>>(t);
}

// With kernels of their own for the usual filters. V: vectors of channels for three taps a row; more taps
// need the registers for their weights.
template <typename F, int M, int V>
inline void DwConvF32(const DwConvF32Tile& t) {
  using Any = DwConvAnyRow<F, M>;
  const bool sliding = t.adjacent && (t.step == 1 || t.step == 2);
  const size_t shape = sliding ? t.kernel_w * 2 + static_cast<size_t>(t.step) : 0;
  switch (shape) {
    case 3 * 2 + 1:
      return DwConvF32Channels<F, DwConvSlide<F, M, V, 3, 1>, Any>(t);
    case 3 * 2 + 2:
      return DwConvF32Channels<F, DwConvSlide<F, M, V, 3, 2>, Any>(t);
    case 5 * 2 + 1:
      return DwConvF32Channels<F, DwConvSlide<F, M, 1, 5, 1>, Any>(t);
    case 5 * 2 + 2:
      return DwConvF32Channels<F, DwConvSlide<F, M, 1, 5, 2>, Any>(t);
    default:
      return DwConvF32Any<F, M>(t);
  }
}

}  // namespace
}  // namespace micrort
