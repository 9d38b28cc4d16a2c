// A register holds eight lanes of two keys, or sixteen numbers of a value.

#include "kernels/attention/attend_few_impl.h"
#include "x86/avx2/vec8_avx2.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {
namespace {

F32x16 Join(F32x8 a, F32x8 b) { return {_mm512_insertf32x8(_mm512_castps256_ps512(a.v), b.v, 1)}; }
template <int kHalf>
F32x8 Half(F32x16 a) {
  return {_mm512_maskz_extractf32x8_ps(0xff, a.v, kHalf)};
}

// Eight numbers at a, and eight at b.
F32x16 LoadTwo(const float* a, const float* b) { return Join(F32x8::Load(a), F32x8::Load(b)); }
F32x16 LoadTwo(const uint16_t* a, const uint16_t* b) {
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a));
  const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b));
  return {_mm512_maskz_cvtph_ps(kAllLanes, _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1))};
}
F32x16 LoadTwo(const int8_t* a, const int8_t* b) {
  const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(a));
  const __m128i high = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(b));
  return ToFloat(S32x16{_mm512_maskz_cvtepi8_epi32(kAllLanes, _mm_unpacklo_epi64(low, high))});
}

struct SixteenLanes {
  using F = F32x8;
  static constexpr int kSums = 8, kRows = 2;
  using Values = F32x16;
  using Keys = F32x16;
  static constexpr int kKeys = 2;

  template <bool kAll>
  static F32x16 LoadQuery(const float* q, size_t n) {
    const F32x8 eight = LoadEight<RowOfFloats<F32x8>, kAll>(q, n);
    return {_mm512_maskz_broadcast_f32x8(kAllLanes, eight.v)};
  }
  template <template <typename> class RowOf, bool kAll>
  static F32x16 LoadKeys(const typename RowOf<F32x8>::Element* k, int64_t stride, size_t n) {
    if constexpr (kAll) return LoadTwo(k, k + stride);
    return Join(RowOf<F32x8>::LoadPartial(k, n), RowOf<F32x8>::LoadPartial(k + stride, n));
  }
  static void Reduce(const F32x16* sums, float* y) {
    ReduceAdd(Half<0>(sums[0]), Half<1>(sums[0]), Half<0>(sums[1]), Half<1>(sums[1]), y);
  }
};

}  // namespace

MICRORT_DEFINE_ATTEND_FEW(avx512, 4, SixteenLanes)

}  // namespace micrort
