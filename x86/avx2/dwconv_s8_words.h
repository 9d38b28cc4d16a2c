#pragma once
// What the int8 depthwise micro-kernels of AVX2 and of its dot products share. Only for files whose flags
// include AVX2.

#include "kernels/dwconv/dwconv_s8.h"
#include "kernels/dwconv/dwconv_s8_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {
namespace {

// The bytes of two rows alternate. As int16, one instruction multiplies them and adds each pair into an
// int32: Dot::Add(sums, taps, weights). A byte becomes an int16 by a zero below it, 256 times as large: one
// shuffle within the halves of a register, where sign extension would take two instructions.
template <typename Dot>
struct DwConvS8Words {
  using Sums = S32x8;
  using Element = int8_t;
  static constexpr int kPixels = 8;
  static constexpr bool kSlidesFive = true;
  using Taps = __m256i;
  using Weights = __m256i;

  template <bool kPair>
  static Taps Load(const int8_t* x0, const int8_t* x1) {
    if (!kPair) return _mm256_shuffle_epi8(Twice(x0), AboveZeros(false));
    return _mm256_shuffle_epi8(_mm256_unpacklo_epi8(Twice(x0), Twice(x1)), AboveZeros(true));
  }
  static Weights LoadWeights(const int8_t* p) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  template <bool kPair>
  static Sums MulAdd(Sums sums, Taps x, Weights w) {
    return {Dot::Add(sums.v, x, w)};
  }
  static Sums Unscaled(Sums sums) { return {_mm256_srai_epi32(sums.v, 8)}; }
  template <bool kPair>
  static Sums MulAddUnscaled(Sums sums, Taps x, Weights w) {
    return sums + Unscaled({_mm256_madd_epi16(x, w)});
  }

 private:
  // The same eight bytes in both halves.
  static __m256i Twice(const int8_t* p) {
    return _mm256_broadcastq_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  }
  // Bytes 0 to 7, or pairs of them, four in each half; the second of a pair that is none is multiplied by
  // zero.
  static __m256i AboveZeros(bool pairs) {
    if (!pairs) {
      return _mm256_setr_epi8(-1, 0, -1, -1, -1, 1, -1, -1, -1, 2, -1, -1, -1, 3, -1, -1,  //
                              -1, 4, -1, -1, -1, 5, -1, -1, -1, 6, -1, -1, -1, 7, -1, -1);
    }
    return _mm256_setr_epi8(-1, 0, -1, 1, -1, 2, -1, 3, -1, 4, -1, 5, -1, 6, -1, 7,  //
                            -1, 8, -1, 9, -1, 10, -1, 11, -1, 12, -1, 13, -1, 14, -1, 15);
  }
};

}  // namespace
}  // namespace micrort
