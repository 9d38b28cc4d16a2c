#include "kernels/dwconv/dwconv_s8.h"
#include "kernels/dwconv/dwconv_s8_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {
namespace {

// The bytes of two rows alternate. As int16, one instruction multiplies them and adds each pair into an
// int32. A byte becomes an int16, 256 times as large, by a zero below it.
struct Ops {
  using Sums = S32x8;
  using Element = int8_t;
  static constexpr int kPixels = 4;
  static constexpr bool kSlidesFive = false;
  struct Taps {
    __m128i low, high;
  };
  using Weights = Taps;

  template <bool kPair>
  static Taps Load(const int8_t* x0, const int8_t* x1) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i pairs = _mm_unpacklo_epi8(Eight(x0), kPair ? Eight(x1) : zero);
    return {_mm_unpacklo_epi8(zero, pairs), _mm_unpackhi_epi8(zero, pairs)};
  }
  static Weights LoadWeights(const int8_t* p) {
    return {_mm_cvtepi8_epi16(Eight(p)), _mm_cvtepi8_epi16(Eight(p + 8))};
  }
  template <bool kPair>
  static Sums MulAdd(Sums sums, Taps x, Weights w) {
    sums = sums + Products(x, w);
#if defined(__GNUC__) && !defined(__clang__)
    // Else GCC regroups the additions and keeps all products in memory until the end.
    __asm__("" : "+x"(sums.low), "+x"(sums.high));
#endif
    return sums;
  }
  static Sums Unscaled(Sums sums) { return ShiftRight(sums, 8); }
  template <bool kPair>
  static Sums MulAddUnscaled(Sums sums, Taps x, Weights w) {
    return sums + Unscaled(Products(x, w));
  }

 private:
  static __m128i Eight(const int8_t* p) { return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)); }
  static Sums Products(Taps x, Weights w) {
    return {_mm_madd_epi16(x.low, w.low), _mm_madd_epi16(x.high, w.high)};
  }
};

}  // namespace

void DwConvS8_sse41_8(const DwConvS8Tile& tile) { DwConvS8<Ops>(tile); }

}  // namespace micrort
