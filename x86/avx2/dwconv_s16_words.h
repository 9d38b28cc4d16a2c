#pragma once
// What the depthwise micro-kernels of int16 by int8 of AVX2 and of its dot products share. Only for files
// whose flags include AVX2.

#include "kernels/dwconv/dwconv_s16.h"
#include "kernels/dwconv/dwconv_s8_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {
namespace {

// The elements of two rows alternate: one instruction multiplies them and adds each pair into an int32,
// Dot::Add(sums, taps, weights).
template <typename Dot>
struct DwConvS16Words {
  using Sums = S32x8;
  using Element = int16_t;
  static constexpr int kPixels = 8;
  static constexpr bool kSlidesFive = true;
  using Taps = __m256i;
  using Weights = __m256i;

  template <bool kPair>
  static Taps Load(const int16_t* x0, const int16_t* x1) {
    if (!kPair) return _mm256_cvtepu16_epi32(Eight(x0));
    const __m128i first = Eight(x0), second = Eight(x1);
    return _mm256_set_m128i(_mm_unpackhi_epi16(first, second), _mm_unpacklo_epi16(first, second));
  }
  static Weights LoadWeights(const int8_t* p) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  template <bool kPair>
  static Sums MulAdd(Sums sums, Taps x, Weights w) {
    return {Dot::Add(sums.v, x, w)};
  }
  static Sums Unscaled(Sums sums) { return sums; }
  template <bool kPair>
  static Sums MulAddUnscaled(Sums sums, Taps x, Weights w) {
    return MulAdd<kPair>(sums, x, w);
  }

 private:
  static __m128i Eight(const int16_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
};

}  // namespace
}  // namespace micrort
