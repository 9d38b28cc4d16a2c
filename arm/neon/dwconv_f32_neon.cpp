// Float depthwise convolution.

#include <arm_neon.h>

#include "arm/neon/dwconv_filter.h"
#include "arm/neon/vec8_neon.h"
#include "kernels/dwconv/dwconv_f32_impl.h"
#if MICRORT_ARCH_ARM64
#include "arm/neon/load_pair_aarch64.h"
#else
#include "arm/neon/load_pair_armv7.h"
#endif

namespace micrort {
namespace {

struct Floats {
  using Element = float;
  using Vector = float32x4_t;
  static constexpr size_t kLanes = 4, kPackedLanes = 8;
  static constexpr int kVectors = MICRORT_ARCH_ARM64 ? 2 : 1;

#if MICRORT_ARCH_ARM64
  static void Load(const float* p, float32x4_t (&v)[2]) { LoadPairAt(p, &v[0], &v[1]); }
  static void LoadNext(const float** p, ptrdiff_t bytes, float32x4_t (&v)[2]) {
    LoadTwoAndStep(p, bytes, &v[0], &v[1]);
  }
  static void Store(float* p, const float32x4_t (&v)[2]) { StorePairAt(p, v[0], v[1]); }
  // With the intrinsic GCC moves sums between registers.
  static float32x4_t MulAdd(float32x4_t sum, float32x4_t x, float32x4_t w) {
    __asm__("fmla %0.4s, %1.4s, %2.4s" : "+w"(sum) : "w"(x), "w"(w));
    return sum;
  }
#else
  static void Load(const float* p, float32x4_t (&v)[1]) { v[0] = vld1q_f32(p); }
  static void LoadNext(const float** p, ptrdiff_t bytes, float32x4_t (&v)[1]) {
    v[0] = LoadAndStep(p, bytes);
  }
  static void Store(float* p, const float32x4_t (&v)[1]) { vst1q_f32(p, v[0]); }
  static float32x4_t MulAdd(float32x4_t sum, float32x4_t x, float32x4_t w) { return vmlaq_f32(sum, x, w); }
#endif
  static float32x4_t Bias(const float* p) { return vld1q_f32(p); }
  static float Narrow(float x) { return x; }
  static float32x4_t Duplicate(const float* p) { return vld1q_dup_f32(p); }
  static float32x4_t Zero() { return vdupq_n_f32(0); }
  static float32x4_t Add(float32x4_t a, float32x4_t b) { return vaddq_f32(a, b); }
  // VMAX and VMIN let a NaN through.
  static float32x4_t Clamp(float32x4_t v, float32x4_t lo, float32x4_t hi) {
    return vmaxq_f32(lo, vminq_f32(hi, v));
  }
};

template <int K>
inline size_t RunSquare(const DwConvF32Tile& t) {
  const size_t end = t.channels / Floats::kPackedLanes * Floats::kPackedLanes;
  if (t.step == 1) {
    DwConvFilter<Floats, K, 1>(t).Run(0, end);
  } else {
    DwConvFilter<Floats, K, 2>(t).Run(0, end);
  }
  return end;
}

// Filters of any shape, and channels that fill no vector.
__attribute__((noinline)) void RunAny(const DwConvF32Tile& t, size_t first) {
  DwConvF32Any<F32x8, kDwConvPixels>(t, first);
}

}  // namespace

void DwConvF32_neon_7(const DwConvF32Tile& t) {
  size_t c = 0;
  switch (t.even ? DwConvF32Square(t) : 0) {
    case 3:
      c = RunSquare<3>(t);
      break;
    case 5:
      c = RunSquare<5>(t);
      break;
    case 7:
      c = RunSquare<7>(t);
      break;
    default:
      break;
  }
  if (c < t.channels) RunAny(t, c);
}

}  // namespace micrort
