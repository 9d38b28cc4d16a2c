#pragma once
// What int8 depthwise micro-kernels of AArch64 and ARMv7 share: sums of eight channels of a few pixels, which
// in layers with one quantization become outputs before they leave their registers.

#include <arm_neon.h>

#include "arm/neon/requantize_8_neon.h"
#include "kernels/dwconv/dwconv_s8.h"

namespace micrort {
namespace {

struct DwConvS8Sums {
  int32x4_t low, high;
};

// Eight channels, or the first few of them.
struct DwConvS8Whole {
  int8x8_t Load(const int8_t* p) const { return vld1_s8(p); }
};
struct DwConvS8Partial {
  size_t count;
  int8x8_t Load(const int8_t* p) const {
    int8_t bytes[kDwConvS8Lanes] = {};
    __builtin_memcpy(bytes, p, count);
    return vld1_s8(bytes);
  }
};

// Outputs of all sums.
template <int M>
inline void DwConvS8Store(const DwConvS8Sums (&sums)[M], const Requantize8& requantize, size_t stride,
                          int8_t* y) {
#pragma GCC unroll 4
  for (int i = 0; i + 1 < M; i += 2, y += 2 * stride) {
    const int8x16_t two = requantize.TwoRows(sums[i].low, sums[i].high, sums[i + 1].low, sums[i + 1].high);
    vst1_s8(y, vget_low_s8(two));
    vst1_s8(y + stride, vget_high_s8(two));
  }
  if (M % 2 != 0) vst1_s8(y, requantize(sums[M - 1].low, sums[M - 1].high));
}

// Stores the first few of them.
template <int M>
inline void DwConvS8StoreFew(const DwConvS8Sums (&sums)[M], const Requantize8& requantize, int pixels,
                             size_t stride, int8_t* y) {
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i, y += stride) {
    if (i == pixels) return;
    vst1_s8(y, requantize(sums[i].low, sums[i].high));
  }
}

// Channels [c, c + 8) of pixels [pixel, pixel + Filter::kPixels). Outputs exist up to t.m. Filter:
//   kPixels, kRows   pixels at a time; rows of the filter side by side in packed weights
//   kSize            rows and columns of the filter, or 0: those of the tile
//   Add(t, first, offset, w, access, sums)     adds the products of those pixels from the first on
template <typename Filter, typename Access>
__attribute__((always_inline)) inline void DwConvS8Block(const DwConvS8Tile& t, size_t pixel, size_t c,
                                                         Access access) {
  constexpr int M = Filter::kPixels;
  const GemmS8Output* output = t.output;
  DwConvS8Sums sums[M];
  DwConvS8Sums start = {vdupq_n_s32(0), vdupq_n_s32(0)};
  if (output != nullptr) start = {vld1q_s32(output->bias + c), vld1q_s32(output->bias + c + 4)};
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) sums[i] = start;
  constexpr size_t kSize = Filter::kSize;
  const size_t height = kSize > 0 ? kSize : t.kernel_h, width = kSize > 0 ? kSize : t.kernel_w;
  const int8_t* w = t.w + c * DwConvS8ChannelBytes(Filter::kRows, height, width);
  Filter::Add(t, static_cast<ptrdiff_t>(pixel) * t.step, t.x_offset + c, w, access, sums);
  if (output == nullptr) {
    int32_t* out = t.acc + pixel * t.acc_stride + c;
    const size_t stride = t.acc_stride;
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i, out += stride) {
      vst1q_s32(out, sums[i].low);
      vst1q_s32(out + 4, sums[i].high);
    }
    return;
  }
  const Requantize8 requantize(output->multipliers + c, output->multipliers + c + 4, output->zero_point,
                               output->lo, output->hi);
  int8_t* y = output->y + pixel * output->stride + c;
  if (t.m - pixel >= M) {
    DwConvS8Store(sums, requantize, output->stride, y);
  } else {
    DwConvS8StoreFew(sums, requantize, static_cast<int>(t.m - pixel), output->stride, y);
  }
}

// All channels. One: of one pixel, for the last few channels: rare, so that one copy serves all filters.
template <typename Filter, typename One>
inline void DwConvS8Channels(const DwConvS8Tile& t, size_t pixel) {
  size_t c = 0;
  for (; c + kDwConvS8Lanes <= t.channels; c += kDwConvS8Lanes) {
    DwConvS8Block<Filter>(t, pixel, c, DwConvS8Whole());
  }
  if (c == t.channels) return;
  for (size_t i = 0; i < Filter::kPixels; ++i) {
    DwConvS8Block<One>(t, pixel + i, c, DwConvS8Partial{t.channels - c});
  }
}

// Tail: of fewer pixels, for the last ones, which reach back over pixels of those before, where there are
// enough.
template <typename Filter, typename Tail, typename One>
__attribute__((noinline)) void DwConvS8Run(const DwConvS8Tile& t) {
  constexpr size_t M = Filter::kPixels, kTail = Tail::kPixels;
  for (size_t next = 0; next < t.m; next += M) {
    const size_t left = t.m - next;
    if (kTail < M && left <= kTail && next > 0) return DwConvS8Channels<Tail, One>(t, t.m - kTail);
    DwConvS8Channels<Filter, One>(t, left < M && t.m > M ? t.m - M : next);
  }
}

// A build for size has filters of 3x3 for tiles of any kind, and those of any size.
#if defined(MICRORT_FOR_SIZE)
constexpr bool kDwConvS8ForSize = true;
#else
constexpr bool kDwConvS8ForSize = false;
#endif

// Filters:
//   Square<K, S>       of K x K taps side by side, pixels S columns apart
//   EvenSquare<K, S>   the same for even tiles of as many pixels as the filter has, or more
//   EvenTail<K, S>     for the last pixels of these
//   Any, One           for any size and steps
template <typename Filters, int K, int S>
inline void DwConvS8RunSquare(const DwConvS8Tile& t) {
  using Square = typename Filters::template Square<K, S>;
  if constexpr (kDwConvS8ForSize) return DwConvS8Run<Square, Square, typename Filters::One>(t);
  using EvenSquare = typename Filters::template EvenSquare<K, S>;
  const bool even = t.even && t.m >= static_cast<size_t>(Square::kPixels);
  using EvenTail = typename Filters::template EvenTail<K, S>;
  using One = typename Filters::One;
  even ? DwConvS8Run<EvenSquare, EvenTail, One>(t) : DwConvS8Run<Square, Square, One>(t);
}

template <typename Filters>
inline void DwConvS8RunTile(DwConvS8Tile t) {
  // Parts of a vector are written as sums.
  if (t.channels % kDwConvS8Lanes != 0) t.output = nullptr;
  if (t.output != nullptr) *t.written = true;
  const bool square = t.adjacent && t.kernel_h == t.kernel_w && (t.step == 1 || t.step == 2);
  if (square && t.kernel_w == 3) {
    return t.step == 1 ? DwConvS8RunSquare<Filters, 3, 1>(t) : DwConvS8RunSquare<Filters, 3, 2>(t);
  }
  if (!kDwConvS8ForSize && square && t.kernel_w == 5) {
    return t.step == 1 ? DwConvS8RunSquare<Filters, 5, 1>(t) : DwConvS8RunSquare<Filters, 5, 2>(t);
  }
  DwConvS8Run<typename Filters::Any, typename Filters::Any, typename Filters::One>(t);
}

}  // namespace
}  // namespace micrort
