#pragma once
// The depthwise micro-kernel of integers, M pixels and eight channels at a time, two rows of the filter at a
// time. `Ops` holds what differs between instruction sets and types; kPair says whether there are two rows or
// just the last one of an odd number, whose second weights are zero:
//   Element   of the input: int8_t or int16_t
//   Sums      eight int32, as S32x8 of kernels/base/simd/vec8.h
//   kPixels   as many sums as the registers hold beside the weights of three columns
//   kSlidesFive   whether a kernel for five columns is worth its size
//   Taps      eight channels of one column in two rows; Load<kPair>(x0, x1) reads them
//   Weights   eight channels of one column in two rows; LoadWeights(p) reads them, [8][2]
//   MulAdd<kPair>(sums, taps, weights)          sums + x0 * w0 + x1 * w1, maybe times a constant up to 256
//   Unscaled(sums)                              without this constant
//   MulAddUnscaled<kPair>(sums, taps, weights)  without it from the start

#include "kernels/dwconv/dwconv_s8_tile.h"

namespace micrort {
namespace {

template <typename Ops>
using DwConvS8TileOf = DwConvIntegerTile<typename Ops::Element>;

// Eight channels, or the last few of them as a copy.
template <typename Ops>
struct DwConvS8Whole {
  template <bool kPair>
  typename Ops::Taps Load(const typename Ops::Element* x0, const typename Ops::Element* x1) const {
    return Ops::template Load<kPair>(x0, x1);
  }
};
template <typename Ops>
struct DwConvS8Partial {
  using Element = typename Ops::Element;
  size_t count;
  template <bool kPair>
  typename Ops::Taps Load(const Element* x0, const Element* x1) const {
    Element elements0[8] = {}, elements1[8] = {};
    __builtin_memcpy(elements0, x0, count * sizeof(Element));
    __builtin_memcpy(elements1, x1, count * sizeof(Element));
    return Ops::template Load<kPair>(elements0, elements1);
  }
};

// Sums of M pixels, S columns apart, of a square filter of K x K taps side by side. Each column of two rows
// is loaded once, for all pixels that it lies under.
template <typename Ops, int M, int K, int S>
struct DwConvS8Slide {
  static constexpr int kPixels = M;
  using Sums = typename Ops::Sums;
  using Element = typename Ops::Element;
  using Tile = DwConvS8TileOf<Ops>;

  template <typename Access>
  static void Run(const Tile& t, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                  Sums (&acc)[M]) {
#pragma GCC unroll 1
    for (int ky = 0; ky + 1 < K; ky += 2) Rows<true>(t, ky, first, offset, w + 8 * K * ky, access, acc);
    if constexpr (K % 2 != 0) Rows<false>(t, K - 1, first, offset, w + 8 * K * (K - 1), access, acc);
  }
  static Sums Finish(Sums sums) { return Ops::Unscaled(sums); }

 private:
  template <bool kPair, typename Access>
  static void Rows(const Tile& t, int ky, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                   Sums (&acc)[M]) {
    const Element* const* x0 = t.columns[ky * K] + first;
    const Element* const* x1 = t.columns[(ky + kPair) * K] + first;
    typename Ops::Weights weights[K];
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) weights[k] = Ops::LoadWeights(w + 16 * k);
#pragma GCC unroll 32
    for (int column = 0; column < (M - 1) * S + K; ++column) {
      const auto taps = access.template Load<kPair>(x0[column] + offset, x1[column] + offset);
#pragma GCC unroll 8
      for (int k = 0; k < K; ++k) {
        const int pixel = (column - k) / S;
        if (column >= k && (column - k) % S == 0 && pixel < M) {
          acc[pixel] = Ops::template MulAdd<kPair>(acc[pixel], taps, weights[k]);
        }
      }
    }
  }
};

// The same for filters of any size and steps.
template <typename Ops, int M>
struct DwConvS8Any {
  static constexpr int kPixels = M;
  using Sums = typename Ops::Sums;
  using Element = typename Ops::Element;
  using Tile = DwConvS8TileOf<Ops>;

  template <typename Access>
  static void Run(const Tile& t, ptrdiff_t first, size_t offset, const int8_t* w, Access access,
                  Sums (&acc)[M]) {
    const Element* const* const* x = t.columns;
    size_t ky = 0;
    for (; ky + 2 <= t.kernel_h; ky += 2, w += 16 * t.kernel_w, x += 2 * t.kernel_w) {
      Rows<true>(t, x, first, offset, w, access, acc);
    }
    if (ky < t.kernel_h) Rows<false>(t, x, first, offset, w, access, acc);
  }
  static Sums Finish(Sums sums) { return sums; }

 private:
  template <bool kPair, typename Access>
  static void Rows(const Tile& t, const Element* const* const* x, ptrdiff_t first, size_t offset,
                   const int8_t* w, Access access, Sums (&acc)[M]) {
    for (size_t k = 0; k < t.kernel_w; ++k, w += 16) {
      const Element *const *x0 = x[k] + first, *const *x1 = x[k + (kPair ? t.kernel_w : 0)] + first;
      const typename Ops::Weights weights = Ops::LoadWeights(w);
#pragma GCC unroll 8
      for (int i = 0; i < M; ++i) {
        const auto taps = access.template Load<kPair>(x0[i * t.step] + offset, x1[i * t.step] + offset);
        acc[i] = Ops::template MulAddUnscaled<kPair>(acc[i], taps, weights);
      }
    }
  }
};

// Channels [c, c + 8) of pixels [pixel, pixel + kPixels).
template <typename Filter, typename Access>
inline void DwConvS8Block(const typename Filter::Tile& t, size_t pixel, size_t c, Access access) {
  constexpr int M = Filter::kPixels;
  typename Filter::Sums acc[M];
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) acc[i] = Filter::Sums::Zero();
  const int8_t* w = t.w + c * DwConvS8ChannelBytes(2, t.kernel_h, t.kernel_w);
  Filter::Run(t, static_cast<ptrdiff_t>(pixel) * t.step, t.x_offset + c, w, access, acc);
  int32_t* out = t.acc + pixel * t.acc_stride + c;
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i, out += t.acc_stride) Filter::Finish(acc[i]).Store(out);
}

// The last few channels of as many pixels as a kernel has: rare, so that one copy serves all kernels.
template <typename Ops>
__attribute__((noinline)) void DwConvS8LastChannels(const DwConvS8TileOf<Ops>& t, size_t pixel, size_t pixels,
                                                    size_t c) {
  using Any = DwConvS8Any<Ops, 2>;
  for (size_t i = 0; i < pixels; i += Any::kPixels) {
    DwConvS8Block<Any>(t, pixel + i, c, DwConvS8Partial<Ops>{t.channels - c});
  }
}

// All channels.
template <typename Ops, typename Filter>
inline void DwConvS8Channels(const DwConvS8TileOf<Ops>& t, size_t pixel) {
  size_t c = 0;
  for (; c + 8 <= t.channels; c += 8) DwConvS8Block<Filter>(t, pixel, c, DwConvS8Whole<Ops>());
  if (c < t.channels) DwConvS8LastChannels<Ops>(t, pixel, Filter::kPixels, c);
}

// `Narrow` where there are no more pixels than it has.
template <typename Ops, typename Wide, typename Narrow>
inline void DwConvS8Pixels(const DwConvS8TileOf<Ops>& t) {
  for (size_t pixel = 0; pixel < t.m;) {
    if (t.m - pixel > Narrow::kPixels) {
      DwConvS8Channels<Ops, Wide>(t, pixel);
      pixel += Wide::kPixels;
    } else {
      DwConvS8Channels<Ops, Narrow>(t, pixel);
      pixel += Narrow::kPixels;
    }
  }
}

// With kernels of their own for the usual filters. Five taps a row need the registers for their weights.
template <typename Ops>
inline void DwConvS8(const DwConvS8TileOf<Ops>& t) {
  constexpr int M = Ops::kPixels;
  const bool sliding = t.adjacent && t.kernel_h == t.kernel_w && (t.step == 1 || t.step == 2);
  if (sliding && t.kernel_w == 3) {
    if (t.step == 1) return DwConvS8Pixels<Ops, DwConvS8Slide<Ops, M, 3, 1>, DwConvS8Slide<Ops, 4, 3, 1>>(t);
    return DwConvS8Pixels<Ops, DwConvS8Slide<Ops, M, 3, 2>, DwConvS8Slide<Ops, 4, 3, 2>>(t);
  }
  if constexpr (Ops::kSlidesFive) {
    if (sliding && t.kernel_w == 5) {
      if (t.step == 1)
        return DwConvS8Pixels<Ops, DwConvS8Slide<Ops, 4, 5, 1>, DwConvS8Slide<Ops, 4, 5, 1>>(t);
      return DwConvS8Pixels<Ops, DwConvS8Slide<Ops, 4, 5, 2>, DwConvS8Slide<Ops, 4, 5, 2>>(t);
    }
  }
  DwConvS8Pixels<Ops, DwConvS8Any<Ops, 4>, DwConvS8Any<Ops, 4>>(t);
}

}  // namespace
}  // namespace micrort
