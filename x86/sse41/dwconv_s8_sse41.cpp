#include "kernels/dwconv/dwconv_s8_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {
namespace {

// The bytes of two rows alternate. As int16, one instruction multiplies them and adds each pair into an
// int32. A byte becomes an int16, 256 times as large, by a zero below it.
struct Ops {
  using Sums = S32x8;
  static constexpr int kVectors = 1;
  struct Taps {
    __m128i low, high;
  };
  using Weights = Taps;

  template <bool kPair, int V>
  static void Load(const int8_t* x0, const int8_t* x1, Taps (&taps)[V]) {
    static_assert(V == 1, "eight channels at a time");
    const __m128i row0 = Eight(x0), row1 = kPair ? Eight(x1) : _mm_setzero_si128();
    const __m128i pairs = _mm_unpacklo_epi8(row0, row1), zero = _mm_setzero_si128();
    taps[0] = {_mm_unpacklo_epi8(zero, pairs), _mm_unpackhi_epi8(zero, pairs)};
  }
  static Weights LoadWeights(const int8_t* p) {
    return {_mm_cvtepi8_epi16(Eight(p)), _mm_cvtepi8_epi16(Eight(p + 8))};
  }
  template <bool kPair>
  static Sums MulAdd(Sums sums, Taps x, Weights w) {
    return sums + Products(x, w);
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

void DwConvS8_sse41_8(const DwConvS8Tile& tile) { DwConvS8<Ops, 4>(tile); }

}  // namespace micrort
