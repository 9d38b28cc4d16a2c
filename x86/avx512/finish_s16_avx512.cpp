#include <immintrin.h>

#include "kernels/layer_s16/finish_s16.h"

namespace micrort {

void FinishS16_avx512(const FinishS16Tile& t) {
  constexpr size_t kStep = 8;
  constexpr __mmask8 kAll = 0xff;  // GCC warns of the undefined vectors of forms without a mask
  const __m512d lo = _mm512_set1_pd(t.lo), hi = _mm512_set1_pd(t.hi), half = _mm512_set1_pd(0.5);
  for (size_t j = 0; j < t.n; j += kStep) {
    const __m512d bias = _mm512_loadu_pd(t.bias + j), scales = _mm512_loadu_pd(t.scales + j);
    const __mmask8 exist = t.n - j < kStep ? static_cast<__mmask8>((1 << (t.n - j)) - 1) : kAll;
    for (size_t i = 0; i < t.m; ++i) {
      const int32_t* acc = t.acc + i * t.acc_stride + j;
      __m512d sum = bias;
      for (size_t b = 0; b < t.blocks; ++b, acc += t.block_stride) {
        const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(acc));
        sum = _mm512_add_pd(sum, _mm512_maskz_cvtepi32_pd(kAll, block));
      }
      const __m512d rounded = _mm512_maskz_roundscale_pd(
          kAll, _mm512_add_pd(_mm512_mul_pd(sum, scales), half), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
      const __m256i values = _mm512_maskz_cvttpd_epi32(
          kAll, _mm512_maskz_min_pd(kAll, _mm512_maskz_max_pd(kAll, rounded, lo), hi));
      _mm256_mask_cvtepi32_storeu_epi16(t.y + i * t.y_stride + j, exist, values);
    }
  }
}

}  // namespace micrort
