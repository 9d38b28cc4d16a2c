#include <immintrin.h>

#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s4_impl.h"

namespace micrort {

namespace {

struct Vec16S4 {
  using Bytes = __m512i;
  using Partial = __m512i;
  using Sums = __m512i;
  using Floats = __m512;
  static constexpr int kLanes = 16;
  static constexpr bool kSplit = true;

  static Bytes Load(const uint8_t* p) { return _mm512_loadu_si512(p); }
  static Bytes Low(Bytes b) { return _mm512_and_si512(b, _mm512_set1_epi8(15)); }
  static Bytes High(Bytes b) {
    return _mm512_and_si512(_mm512_maskz_srli_epi16(~__mmask32{0}, b, 4), _mm512_set1_epi8(15));
  }
  static Bytes Broadcast(const int8_t* p) {
    int32_t four;
    __builtin_memcpy(&four, p, sizeof four);
    return _mm512_set1_epi32(four);
  }
  static Partial Zero() { return _mm512_setzero_si512(); }
  static Partial Add(Partial partial, Bytes weights, Bytes row) {
    return _mm512_dpbusd_epi32(partial, weights, row);
  }
  static Sums Finish(Partial partial) { return partial; }
  static Sums Start(int32_t n) { return _mm512_set1_epi32(-kInt4Center * n); }
  template <int kShift>
  static Sums Start(const uint8_t* zero_points, int32_t n) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(zero_points));
    const __m128i halves = _mm_and_si128(_mm_srli_epi16(bytes, kShift), _mm_set1_epi8(15));
    return _mm512_mullo_epi32(_mm512_maskz_cvtepu8_epi32(0xffff, halves), _mm512_set1_epi32(-n));
  }
  static Sums Plus(Sums a, Sums b) { return _mm512_add_epi32(a, b); }
  static Floats None() { return _mm512_setzero_ps(); }
  static Floats LoadFloats(const uint8_t* p) { return _mm512_loadu_ps(p); }
  static Floats LoadHalves(const uint8_t* p) {
    return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static Floats AddScaled(Floats total, Sums sums, Floats scales, float of_row) {
    const __m512 scaled = _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xffff, sums), scales);
    return _mm512_add_ps(total, _mm512_mul_ps(scaled, _mm512_set1_ps(of_row)));
  }
  static void Store(float* p, Floats v) { _mm512_storeu_ps(p, v); }
};

}  // namespace

void GemmS4_avx512vnni_4x32(const GemmS4Block& t) { GemmS4<Vec16S4, 2>(t); }

}  // namespace micrort
