#include "bench/machine/fma_peak.h"

#if MICRORT_ARCH_X86
#include <immintrin.h>
#elif MICRORT_ARCH_ARM64
#include <arm_neon.h>
#endif

namespace micrort::bench {

namespace {

// Enough chains to cover the latency of two units.
constexpr int kChains = 12;

struct Peak {
  CpuFeatures needs;
  int lanes;
  float (*run)(int64_t iterations);
};

#if MICRORT_ARCH_X86
__attribute__((target("avx2,fma"))) float Chains8(int64_t iterations) {
  __m256 x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(1.0f);
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) x[i] = _mm256_fmadd_ps(x[i], a, b);
  }
  for (int i = 1; i < kChains; ++i) x[0] = _mm256_add_ps(x[0], x[i]);
  return _mm256_cvtss_f32(x[0]);
}

__attribute__((target("avx512f"))) float Chains16(int64_t iterations) {
  __m512 x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(1.0f);
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) x[i] = _mm512_fmadd_ps(x[i], a, b);
  }
  for (int i = 1; i < kChains; ++i) x[0] = _mm512_add_ps(x[0], x[i]);
  return _mm512_cvtss_f32(x[0]);
}

// Widest first.
constexpr Peak kPeaks[] = {{kCpuAvx2 | kCpuAvx512, 16, Chains16}, {kCpuAvx2, 8, Chains8}};
#elif MICRORT_ARCH_ARM64
float Chains4(int64_t iterations) {
  float32x4_t x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = vdupq_n_f32(static_cast<float>(i));
  const float32x4_t a = vdupq_n_f32(0.5f), b = vdupq_n_f32(1.0f);
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) x[i] = vfmaq_f32(b, x[i], a);
  }
  for (int i = 1; i < kChains; ++i) x[0] = vaddq_f32(x[0], x[i]);
  return vgetq_lane_f32(x[0], 0);
}

constexpr Peak kPeaks[] = {{kCpuNeon, 4, Chains4}};
#else
constexpr Peak kPeaks[] = {{~CpuFeatures{0}, 0, nullptr}};
#endif

}  // namespace

int64_t RunFma(CpuFeatures features, int64_t iterations) {
  for (const Peak& peak : kPeaks) {
    if ((features & peak.needs) != peak.needs) continue;
    volatile float sink = peak.run(iterations);
    static_cast<void>(sink);
    return iterations * kChains * peak.lanes;
  }
  return 0;
}

}  // namespace micrort::bench
