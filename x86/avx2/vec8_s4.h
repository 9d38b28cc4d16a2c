#pragma once
// Vectors of eight columns, shared by the int4 GEMM kernels of AVX2 and AVX-VNNI.

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_s4.h"

namespace micrort {

namespace {

struct Vec8S4 {
  using Bytes = __m256i;
  using Sums = __m256i;
  using Floats = __m256;
  static constexpr int kLanes = 8;

  static Bytes Load(const uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static Bytes Low(Bytes b) { return _mm256_and_si256(b, _mm256_set1_epi8(15)); }
  static Bytes High(Bytes b) { return _mm256_and_si256(_mm256_srli_epi16(b, 4), _mm256_set1_epi8(15)); }
  static Bytes Broadcast(const int8_t* p) {
    int32_t four;
    __builtin_memcpy(&four, p, sizeof four);
    return _mm256_set1_epi32(four);
  }
  static Sums Start(int32_t n) { return _mm256_set1_epi32(-kInt4Center * n); }
  template <int kShift>
  static Sums Start(const uint8_t* zero_points, int32_t n) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(zero_points));
    const __m128i halves = _mm_and_si128(_mm_srli_epi16(bytes, kShift), _mm_set1_epi8(15));
    return _mm256_mullo_epi32(_mm256_cvtepu8_epi32(halves), _mm256_set1_epi32(-n));
  }
  static Sums Plus(Sums a, Sums b) { return _mm256_add_epi32(a, b); }
  static Floats None() { return _mm256_setzero_ps(); }
  static Floats LoadFloats(const uint8_t* p) { return _mm256_loadu_ps(reinterpret_cast<const float*>(p)); }
  static Floats LoadHalves(const uint8_t* p) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static Floats AddScaled(Floats total, Sums sums, Floats scales, float of_row) {
    const __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(sums), scales);
    return _mm256_add_ps(total, _mm256_mul_ps(scaled, _mm256_set1_ps(of_row)));
  }
  static void Store(float* p, Floats v) { _mm256_storeu_ps(p, v); }
};

}  // namespace

}  // namespace micrort
