#pragma once
// The int8 depthwise micro-kernel, M pixels and some vectors of eight channels at a time, two rows of the
// filter at a time. `Ops` holds what differs between instruction sets; kPair says whether there are two rows
// or just the last one of an odd number, whose second weights are zero:
//   Sums      eight int32, as S32x8 of kernels/base/simd/vec8.h
//   kVectors  as many vectors the registers hold beside the weights of three columns
//   Taps      eight channels of one column in two rows
//   Load<kPair, V>(x0, x1, taps)   8 * V channels from each row
//   Weights, LoadWeights(p)        eight channels of one column in two rows, [8][2]
//   MulAdd<kPair>(sums, taps, weights)        sums + x0 * w0 + x1 * w1, maybe times a constant, for up to
//                                             kMaxScaledTaps
//   Unscaled(sums)                            without this constant
//   MulAddUnscaled<kPair>(sums, taps, weights)  without it, for any number of taps

#include "kernels/dwconv/dwconv_s8.h"

namespace micrort {
namespace {

// Eight channels, or the last few of them as a copy.
template <typename Ops>
struct DwConvS8Whole {
  template <bool kPair, int V>
  void Load(const int8_t* x0, const int8_t* x1, typename Ops::Taps (&taps)[V]) const {
    Ops::template Load<kPair, V>(x0, x1, taps);
  }
};
template <typename Ops>
struct DwConvS8Partial {
  size_t count;
  template <bool kPair, int V>
  void Load(const int8_t* x0, const int8_t* x1, typename Ops::Taps (&taps)[V]) const {
    int8_t bytes0[8] = {}, bytes1[8] = {};
    __builtin_memcpy(bytes0, x0, count);
    __builtin_memcpy(bytes1, x1, count);
    Ops::template Load<kPair, V>(bytes0, bytes1, taps);
  }
};

// Sums of M pixels and V vectors of channels over two rows of a filter of KW taps side by side, pixels S
// columns apart. Each column is loaded once, for all pixels that it lies under.
template <typename Ops, int M, int V, int KW, int S>
struct DwConvS8Slide {
  static constexpr int kPixels = M, kVectors = V;
  using Sums = typename Ops::Sums;
  template <bool kPair, typename Access>
  static void Rows(const DwConvS8Tile& t, const int8_t* const* const* x, size_t first, size_t offset,
                   const int8_t* w, Access access, Sums (&acc)[M][V]) {
    const int8_t *const *x0 = x[0] + first, *const *x1 = x[kPair ? KW : 0] + first;
    const size_t next = 8 * DwConvS8ChannelBytes(t.kernel_h, KW);  // weights of the next channels
    typename Ops::Weights weights[KW][V];
#pragma GCC unroll 8
    for (int k = 0; k < KW; ++k) {
#pragma GCC unroll 2
      for (int j = 0; j < V; ++j) weights[k][j] = Ops::LoadWeights(w + 16 * k + next * j);
    }
#pragma GCC unroll 32
    for (int column = 0; column < (M - 1) * S + KW; ++column) {
      typename Ops::Taps taps[V];
      access.template Load<kPair, V>(x0[column] + offset, x1[column] + offset, taps);
#pragma GCC unroll 2
      for (int j = 0; j < V; ++j) {
#pragma GCC unroll 8
        for (int k = 0; k < KW; ++k) {
          const int pixel = (column - k) / S;
          if (column >= k && (column - k) % S == 0 && pixel < M) {
            acc[pixel][j] = Ops::template MulAdd<kPair>(acc[pixel][j], taps[j], weights[k][j]);
          }
        }
      }
    }
  }
  static Sums Finish(Sums sums) { return Ops::Unscaled(sums); }
};

// The same for filters of any size and steps, and one vector.
template <typename Ops, int M>
struct DwConvS8AnyRows {
  static constexpr int kPixels = M, kVectors = 1;
  using Sums = typename Ops::Sums;
  template <bool kPair, typename Access>
  static void Rows(const DwConvS8Tile& t, const int8_t* const* const* x, size_t first, size_t offset,
                   const int8_t* w, Access access, Sums (&acc)[M][1]) {
    for (size_t k = 0; k < t.kernel_w; ++k, w += 16) {
      const int8_t *const *x0 = x[k] + first, *const *x1 = x[k + (kPair ? t.kernel_w : 0)] + first;
      const typename Ops::Weights weights = Ops::LoadWeights(w);
#pragma GCC unroll 8
      for (int i = 0; i < M; ++i) {
        typename Ops::Taps taps[1];
        access.template Load<kPair, 1>(x0[i * t.step] + offset, x1[i * t.step] + offset, taps);
        acc[i][0] = Ops::template MulAddUnscaled<kPair>(acc[i][0], taps[0], weights);
      }
    }
  }
  static Sums Finish(Sums sums) { return sums; }
};

// Channels [c, c + 8 * kVectors) of pixels [pixel, pixel + kPixels).
template <typename RowPair, typename Access>
inline void DwConvS8Block(const DwConvS8Tile& t, size_t pixel, size_t c, Access access) {
  constexpr int M = RowPair::kPixels, V = RowPair::kVectors;
  typename RowPair::Sums acc[M][V];
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 2
    for (int j = 0; j < V; ++j) acc[i][j] = RowPair::Sums::Zero();
  }
  const auto first = static_cast<ptrdiff_t>(pixel) * t.step;
  const size_t offset = t.x_offset + c;
  const int8_t* w = t.w + c * DwConvS8ChannelBytes(t.kernel_h, t.kernel_w);
  const int8_t* const* const* x = t.columns;
  size_t ky = 0;
  for (; ky + 2 <= t.kernel_h; ky += 2, w += 16 * t.kernel_w, x += 2 * t.kernel_w) {
    RowPair::template Rows<true>(t, x, first, offset, w, access, acc);
  }
  if (ky < t.kernel_h) RowPair::template Rows<false>(t, x, first, offset, w, access, acc);
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) {
    int32_t* out = t.acc + (pixel + static_cast<size_t>(i)) * t.acc_stride + c;
#pragma GCC unroll 2
    for (int j = 0; j < V; ++j) RowPair::Finish(acc[i][j]).Store(out + 8 * j);
  }
}

// `Wide` as long as there are channels for it, then `Narrow` for whole vectors and `Any` for what is left.
template <typename Ops, typename Wide, typename Narrow, typename Any>
inline void DwConvS8Pixels(const DwConvS8Tile& t) {
  constexpr size_t kStep = 8 * Wide::kVectors;
  for (size_t pixel = 0; pixel < t.m; pixel += Wide::kPixels) {
    size_t c = 0;
    for (; c + kStep <= t.channels; c += kStep) DwConvS8Block<Wide>(t, pixel, c, DwConvS8Whole<Ops>());
    for (; c + 8 <= t.channels; c += 8) DwConvS8Block<Narrow>(t, pixel, c, DwConvS8Whole<Ops>());
    if (c < t.channels) DwConvS8Block<Any>(t, pixel, c, DwConvS8Partial<Ops>{t.channels - c});
  }
}

// Scaled by 256, so many products of two int8 stay below 2^31.
constexpr size_t kMaxScaledTaps = 511;

// With kernels of their own for the usual filters. Five taps a row need the registers for their weights.
template <typename Ops, int M>
inline void DwConvS8(const DwConvS8Tile& t) {
  using Any = DwConvS8AnyRows<Ops, M>;
  constexpr int V = Ops::kVectors;
  const bool sliding =
      t.adjacent && (t.step == 1 || t.step == 2) && t.kernel_h * t.kernel_w <= kMaxScaledTaps;
  const size_t shape = sliding ? t.kernel_w * 2 + static_cast<size_t>(t.step) : 0;
  switch (shape) {
    case 3 * 2 + 1:
      return DwConvS8Pixels<Ops, DwConvS8Slide<Ops, M, V, 3, 1>, DwConvS8Slide<Ops, M, 1, 3, 1>, Any>(t);
    case 3 * 2 + 2:
      return DwConvS8Pixels<Ops, DwConvS8Slide<Ops, M, V, 3, 2>, DwConvS8Slide<Ops, M, 1, 3, 2>, Any>(t);
    case 5 * 2 + 1:
      return DwConvS8Pixels<Ops, DwConvS8Slide<Ops, M, 1, 5, 1>, DwConvS8Slide<Ops, M, 1, 5, 1>, Any>(t);
    case 5 * 2 + 2:
      return DwConvS8Pixels<Ops, DwConvS8Slide<Ops, M, 1, 5, 2>, DwConvS8Slide<Ops, M, 1, 5, 2>, Any>(t);
    default:
      return DwConvS8Pixels<Ops, Any, Any, Any>(t);
  }
}

}  // namespace
}  // namespace micrort
