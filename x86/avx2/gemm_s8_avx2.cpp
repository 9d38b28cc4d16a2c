// int8 GEMM by int16 pairs: a pair of depth steps of one row, broadcast, times the same pair of eight
// columns. The instruction multiplies exactly and adds each pair into an int32.

#include <immintrin.h>

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

void GemmS8_avx2_6x16(size_t depth, const void* const* a, const int8_t* b, int32_t* tile) {
  constexpr int kMr = 6, kNv = 2;
  __m256i acc[kMr][kNv];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) acc[i][0] = acc[i][1] = _mm256_setzero_si256();
  const int16_t* rows[kMr];
  for (int i = 0; i < kMr; ++i) rows[i] = static_cast<const int16_t*>(a[i]);
  for (size_t k = 0; k < depth; k += 2, b += 32) {
    const auto* packed = reinterpret_cast<const __m128i*>(b);
    const __m256i b0 = _mm256_cvtepi8_epi16(_mm_loadu_si128(packed));
    const __m256i b1 = _mm256_cvtepi8_epi16(_mm_loadu_si128(packed + 1));
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) {
      int32_t pair;
      __builtin_memcpy(&pair, rows[i] + k, sizeof pair);
      const __m256i x = _mm256_set1_epi32(pair);
      acc[i][0] = _mm256_add_epi32(acc[i][0], _mm256_madd_epi16(x, b0));
      acc[i][1] = _mm256_add_epi32(acc[i][1], _mm256_madd_epi16(x, b1));
    }
  }
  auto* out = reinterpret_cast<__m256i*>(tile);
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
    _mm256_storeu_si256(out + i * kNv, acc[i][0]);
    _mm256_storeu_si256(out + i * kNv + 1, acc[i][1]);
  }
}

}  // namespace micrort
