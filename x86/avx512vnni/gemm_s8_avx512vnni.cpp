// int8 GEMM by products of unsigned and signed bytes: four depth steps of one row, broadcast, times the same
// four of sixteen columns, added without saturation.

#include <immintrin.h>

#include "kernels/gemm/gemm_s8.h"

namespace micrort {

void GemmS8_avx512vnni_8x32(size_t depth, const void* const* a, const int8_t* b, int32_t* tile) {
  constexpr int kMr = 8;
  __m512i acc[kMr][2];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) acc[i][0] = acc[i][1] = _mm512_setzero_si512();
  const uint8_t* rows[kMr];
  for (int i = 0; i < kMr; ++i) rows[i] = static_cast<const uint8_t*>(a[i]);
  for (size_t k = 0; k < depth; k += 4, b += 128) {
    const auto* packed = reinterpret_cast<const __m512i*>(b);
    const __m512i b0 = _mm512_loadu_si512(packed), b1 = _mm512_loadu_si512(packed + 1);
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) {
      int32_t four;
      __builtin_memcpy(&four, rows[i] + k, sizeof four);
      const __m512i x = _mm512_set1_epi32(four);
      acc[i][0] = _mm512_dpbusd_epi32(acc[i][0], x, b0);
      acc[i][1] = _mm512_dpbusd_epi32(acc[i][1], x, b1);
    }
  }
  auto* out = reinterpret_cast<__m512i*>(tile);
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
    _mm512_storeu_si512(out + 2 * i, acc[i][0]);
    _mm512_storeu_si512(out + 2 * i + 1, acc[i][1]);
  }
}

}  // namespace micrort
