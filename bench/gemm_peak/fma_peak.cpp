#include "bench/gemm_peak/fma_peak.h"

#include "kernels/base/cpu_features.h"

#if MICRORT_ARCH_X86
#include <immintrin.h>
#elif MICRORT_ARCH_ARM64
#include <arm_neon.h>
#endif

namespace micrort::bench {

namespace {

// Enough chains to cover the latency of two units.
constexpr int kChains = 12;

#if MICRORT_ARCH_X86
constexpr CpuFeatures kNeeds = kCpuAvx2;
constexpr int kLanes = 8;

__attribute__((target("avx2,fma"))) float Chains(int64_t iterations) {
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
#elif MICRORT_ARCH_ARM64
constexpr CpuFeatures kNeeds = kCpuNeon;
constexpr int kLanes = 4;

float Chains(int64_t iterations) {
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
#else
constexpr CpuFeatures kNeeds = ~CpuFeatures{0};
constexpr int kLanes = 0;

float Chains(int64_t) { return 0; }
#endif

}  // namespace

int64_t RunFma(int64_t iterations) {
  if ((DetectCpuFeatures() & kNeeds) != kNeeds) return 0;
  volatile float sink = Chains(iterations);
  static_cast<void>(sink);
  return iterations * kChains * kLanes;
}

}  // namespace micrort::bench
