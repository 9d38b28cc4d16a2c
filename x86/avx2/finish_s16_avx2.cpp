#include <immintrin.h>

#include "kernels/layer_s16/finish_s16.h"

namespace micrort {
namespace {

struct FinishBounds {
  __m256d lo, hi;
};

__m128i FinishFour(const int32_t* acc, const FinishS16Tile& t, size_t j, const FinishBounds& bounds) {
  __m256d sum = _mm256_loadu_pd(t.bias + j);
  for (size_t b = 0; b < t.blocks; ++b, acc += t.block_stride) {
    sum = _mm256_add_pd(sum, _mm256_cvtepi32_pd(_mm_loadu_si128(reinterpret_cast<const __m128i*>(acc))));
  }
  const __m256d product = _mm256_mul_pd(sum, _mm256_loadu_pd(t.scales + j));
  const __m256d rounded = _mm256_floor_pd(_mm256_add_pd(product, _mm256_set1_pd(0.5)));
  return _mm256_cvttpd_epi32(_mm256_min_pd(_mm256_max_pd(rounded, bounds.lo), bounds.hi));
}

}  // namespace

void FinishS16_avx2(const FinishS16Tile& t) {
  constexpr size_t kStep = 8;
  const FinishBounds bounds = {_mm256_set1_pd(t.lo), _mm256_set1_pd(t.hi)};
  for (size_t i = 0; i < t.m; ++i) {
    const int32_t* acc = t.acc + i * t.acc_stride;
    int16_t* y = t.y + i * t.y_stride;
    for (size_t j = 0; j < t.n; j += kStep) {
      const __m128i words = _mm_packs_epi32(FinishFour(acc + j, t, j, bounds),
                                            FinishFour(acc + j + kStep / 2, t, j + kStep / 2, bounds));
      if (j + kStep <= t.n) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(y + j), words);
      } else {
        __builtin_memcpy(y + j, &words, (t.n - j) * sizeof(int16_t));
      }
    }
  }
}

}  // namespace micrort
