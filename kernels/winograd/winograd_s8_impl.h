#pragma once
// The transforms of int8 Winograd convolution: those of inputs over a vector type `Words` of int16 with
// kLanes lanes (Load(const int8_t*), Store(int16_t*), + and -), those of products over S32x8 of
// kernels/base/simd/vec8.h.

#include "kernels/winograd/winograd_s8.h"

namespace micrort {
namespace {

// All channels of a vector, or the first few of them at the end of a pixel.
template <typename Words>
struct WinogradS8Whole {
  Words Load(const int8_t* p) const { return Words::Load(p); }
  void Store(Words v, int16_t* p) const { v.Store(p); }
};
template <typename Words>
struct WinogradS8Partial {
  size_t count;
  Words Load(const int8_t* p) const {
    int8_t bytes[Words::kLanes] = {};
    __builtin_memcpy(bytes, p, count);
    return Words::Load(bytes);
  }
  void Store(Words v, int16_t* p) const {
    int16_t words[Words::kLanes];
    v.Store(words);
    __builtin_memcpy(p, words, count * sizeof(int16_t));
  }
};

// The transform of four numbers: x0 - x2, x1 + x2, x2 - x1, x1 - x3.
template <typename Words, typename Access>
inline void WinogradS8InputBlock(const WinogradS8Input& t, size_t c, Access access) {
  constexpr int kSize = kWinogradS8Size;
  Words rows[kSize][kSize];
#pragma GCC unroll 4
  for (int i = 0; i < kSize; ++i) {
    const Words x0 = access.Load(t.x[i] + c), x1 = access.Load(t.x[kSize + i] + c),
                x2 = access.Load(t.x[2 * kSize + i] + c), x3 = access.Load(t.x[3 * kSize + i] + c);
    rows[0][i] = x0 - x2;
    rows[1][i] = x1 + x2;
    rows[2][i] = x2 - x1;
    rows[3][i] = x1 - x3;
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < kSize; ++i) {
    int16_t* v = t.v + kSize * i * t.point_stride + c;
    const Words(&x)[kSize] = rows[i];
    access.Store(x[0] - x[2], v);
    access.Store(x[1] + x[2], v + t.point_stride);
    access.Store(x[2] - x[1], v + 2 * t.point_stride);
    access.Store(x[1] - x[3], v + 3 * t.point_stride);
  }
}

template <typename Words>
inline void WinogradS8InputTile(const WinogradS8Input& t) {
  constexpr size_t kLanes = Words::kLanes;
  size_t c = 0;
  for (; c + kLanes <= t.channels; c += kLanes) WinogradS8InputBlock<Words>(t, c, WinogradS8Whole<Words>());
  if (c < t.channels) WinogradS8InputBlock<Words>(t, c, WinogradS8Partial<Words>{t.channels - c});
}

// The transform of four numbers into two: x0 + x1 + x2, x1 - x2 - x3. Twice of it, and a quarter of that, is
// the sum, exactly.
template <typename S>
inline void WinogradS8OutputBlock(const int32_t* products, size_t point_stride, int32_t* top, int32_t* bottom,
                                  size_t nr) {
  constexpr size_t kSize = kWinogradS8Size;
  S rows[2][kSize];
#pragma GCC unroll 4
  for (size_t i = 0; i < kSize; ++i) {
    const int32_t* x = products + i * point_stride;
    const S x0 = S::Load(x), x1 = S::Load(x + kSize * point_stride),
            x2 = S::Load(x + 2 * kSize * point_stride), x3 = S::Load(x + 3 * kSize * point_stride);
    rows[0][i] = x0 + x1 + x2;
    rows[1][i] = x1 - x2 - x3;
  }
  int32_t* const out[2] = {top, bottom};
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    const S(&x)[kSize] = rows[i];
    ShiftRight(x[0] + x[1] + x[2], 2).Store(out[i]);
    ShiftRight(x[1] - x[2] - x[3], 2).Store(out[i] + nr);
  }
}

template <typename S, size_t kNr>
inline void WinogradS8OutputRow(const WinogradS8Output& t) {
  for (size_t i = 0; i < t.tiles; ++i) {
#pragma GCC unroll 2
    for (size_t j = 0; j < kNr; j += 8) {
      const size_t at = 2 * i * kNr + j;
      WinogradS8OutputBlock<S>(t.products + i * kNr + j, t.point_stride, t.top + at, t.bottom + at, kNr);
    }
  }
}

}  // namespace
}  // namespace micrort
