#include "kernels/dwconv/dwconv_s8_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {
namespace {

// The bytes of two rows alternate. As int16, one instruction multiplies them and adds each pair into an
// int32. A byte becomes an int16 by a zero below it, 256 times as large: one shuffle within the halves of a
// register, where sign extension would take two instructions.
struct Ops {
  using Sums = S32x8;
  static constexpr int kVectors = 2;
  using Taps = __m256i;
  using Weights = __m256i;

  template <bool kPair, int V>
  static void Load(const int8_t* x0, const int8_t* x1, Taps (&taps)[V]) {
    const __m256i row0 = Both<V>(x0);
    if constexpr (kPair) {
      const __m256i row1 = Both<V>(x1);
      taps[0] = _mm256_shuffle_epi8(_mm256_unpacklo_epi8(row0, row1), PairsAboveZeros());
      if constexpr (V == 2) {
        taps[1] = _mm256_shuffle_epi8(_mm256_unpackhi_epi8(row0, row1), PairsAboveZeros());
      }
    } else {
      taps[0] = _mm256_shuffle_epi8(row0, SinglesAboveZeros(0));
      if constexpr (V == 2) taps[1] = _mm256_shuffle_epi8(row0, SinglesAboveZeros(8));
    }
  }
  static Weights LoadWeights(const int8_t* p) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  template <bool kPair>
  static Sums MulAdd(Sums sums, Taps x, Weights w) {
    return {_mm256_add_epi32(sums.v, _mm256_madd_epi16(x, w))};
  }
  static Sums Unscaled(Sums sums) { return {_mm256_srai_epi32(sums.v, 8)}; }
  template <bool kPair>
  static Sums MulAddUnscaled(Sums sums, Taps x, Weights w) {
    return sums + Unscaled({_mm256_madd_epi16(x, w)});
  }

 private:
  // The same bytes in both halves: sixteen, or eight twice.
  template <int V>
  static __m256i Both(const int8_t* p) {
    if constexpr (V == 2) {
      return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    }
    return _mm256_broadcastq_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  }
  // Pairs 0 to 3 of the lower half, 4 to 7 of the upper one.
  static __m256i PairsAboveZeros() {
    return _mm256_setr_epi8(-1, 0, -1, 1, -1, 2, -1, 3, -1, 4, -1, 5, -1, 6, -1, 7,  //
                            -1, 8, -1, 9, -1, 10, -1, 11, -1, 12, -1, 13, -1, 14, -1, 15);
  }
  // Bytes first to first + 7, each the first of a pair.
  static __m256i SinglesAboveZeros(int8_t first) {
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i bytes = _mm256_add_epi32(lanes, _mm256_set1_epi32(first));
    return _mm256_or_si256(_mm256_slli_epi32(bytes, 8), _mm256_set1_epi32(static_cast<int32_t>(0xffff00ff)));
  }
};

}  // namespace

void DwConvS8_avx2_8(const DwConvS8Tile& tile) { DwConvS8<Ops, 4>(tile); }

}  // namespace micrort
