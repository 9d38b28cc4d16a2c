// int8 GEMM by products of unsigned and signed bytes: four depth steps of one row, broadcast, times the same
// four of eight columns, added without saturation.

#include <immintrin.h>

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

void GemmS8_avxvnni_6x16(size_t depth, const void* const* a, const int8_t* b, int32_t* tile) {
  constexpr int kMr = 6;
  __m256i acc[kMr][2];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) acc[i][0] = acc[i][1] = _mm256_setzero_si256();
  const uint8_t* rows[kMr];
  for (int i = 0; i < kMr; ++i) rows[i] = static_cast<const uint8_t*>(a[i]);
  for (size_t k = 0; k < depth; k += 4, b += 64) {
    const auto* packed = reinterpret_cast<const __m256i*>(b);
    const __m256i b0 = _mm256_loadu_si256(packed), b1 = _mm256_loadu_si256(packed + 1);
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) {
      int32_t four;
      __builtin_memcpy(&four, rows[i] + k, sizeof four);
      const __m256i x = _mm256_set1_epi32(four);
      acc[i][0] = _mm256_dpbusd_avx_epi32(acc[i][0], x, b0);
      acc[i][1] = _mm256_dpbusd_avx_epi32(acc[i][1], x, b1);
    }
  }
  auto* out = reinterpret_cast<__m256i*>(tile);
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
    _mm256_storeu_si256(out + 2 * i, acc[i][0]);
    _mm256_storeu_si256(out + 2 * i + 1, acc[i][1]);
  }
}

}  // namespace micrort
