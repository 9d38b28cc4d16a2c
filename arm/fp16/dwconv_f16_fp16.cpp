// Half depthwise convolution.

#include <arm_neon.h>

#include "arm/fp16/eight_halves.h"
#include "arm/neon/dwconv_filter.h"
#include "arm/neon/load_pair_aarch64.h"
#include "kernels/dwconv/dwconv_f16.h"

namespace micrort {
namespace {

struct HalfVector {
  using Element = uint16_t;
  using Vector = float16x8_t;
  static constexpr size_t kLanes = 8, kPackedLanes = 16;

  static float16x8_t Bias(const float* p) { return NarrowEight(p); }
  static uint16_t Narrow(float x) {
    const auto half = static_cast<float16_t>(x);
    uint16_t bits;
    __builtin_memcpy(&bits, &half, sizeof bits);
    return bits;
  }
  static float16x8_t Duplicate(const uint16_t* p) { return vreinterpretq_f16_u16(vld1q_dup_u16(p)); }
  static float16x8_t Zero() { return vdupq_n_f16(0); }
  // With the intrinsic GCC moves sums between registers.
  static float16x8_t MulAdd(float16x8_t sum, float16x8_t x, float16x8_t w) {
    __asm__("fmla %0.8h, %1.8h, %2.8h" : "+w"(sum) : "w"(x), "w"(w));
    return sum;
  }
  static float16x8_t Add(float16x8_t a, float16x8_t b) { return vaddq_f16(a, b); }
  // FMAX and FMIN let a NaN through.
  static float16x8_t Clamp(float16x8_t v, float16x8_t lo, float16x8_t hi) {
    return vmaxq_f16(lo, vminq_f16(hi, v));
  }
};

struct OneVector : HalfVector {
  static constexpr int kVectors = 1;
  static void Load(const uint16_t* p, float16x8_t (&v)[1]) { v[0] = vreinterpretq_f16_u16(vld1q_u16(p)); }
  static void LoadNext(const uint16_t** p, ptrdiff_t bytes, float16x8_t (&v)[1]) {
    uint16x8_t x;
    LoadAndStep(p, bytes, &x);
    v[0] = vreinterpretq_f16_u16(x);
  }
  static void Store(uint16_t* p, const float16x8_t (&v)[1]) { vst1q_u16(p, vreinterpretq_u16_f16(v[0])); }
};

struct TwoVectors : HalfVector {
  static constexpr int kVectors = 2;
  static void Load(const uint16_t* p, float16x8_t (&v)[2]) { LoadPairAt(p, &v[0], &v[1]); }
  static void LoadNext(const uint16_t** p, ptrdiff_t bytes, float16x8_t (&v)[2]) {
    LoadTwoAndStep(p, bytes, &v[0], &v[1]);
  }
  static void Store(uint16_t* p, const float16x8_t (&v)[2]) { StorePairAt(p, v[0], v[1]); }
};

// Returns where channels begin that fill no vector.
template <int K, int S>
inline size_t RunSquare(const DwConvF16Tile& t) {
  const size_t pairs = t.channels / 16 * 16, end = t.channels / 8 * 8;
  DwConvFilter<TwoVectors, K, S>(t).Run(0, pairs);
  if (pairs < end) DwConvFilter<OneVector, K, S>(t).Run(pairs, end);
  return end;
}

inline void AnyBlock(const DwConvF16Tile& t, size_t c, EightHalves access) {
  constexpr size_t kPackedLanes = HalfVector::kPackedLanes;
  const float16x8_t lo = vdupq_n_f16(static_cast<float16_t>(t.lo)),
                    hi = vdupq_n_f16(static_cast<float16_t>(t.hi));
  const float16x8_t bias = t.bias == nullptr ? HalfVector::Zero() : access.Bias(t.bias + c);
  float16x8_t sums[kDwConvPixels];
#pragma GCC unroll 7
  for (int i = 0; i < kDwConvPixels; ++i) sums[i] = bias;
  const size_t taps = t.kernel_h * t.kernel_w;
  const uint16_t* w = t.w + c / kPackedLanes * kPackedLanes * taps + c % kPackedLanes;
  for (size_t k = 0; k < taps; ++k, w += kPackedLanes) {
    const uint16_t* const* x = t.columns[k];
    const float16x8_t weights = vreinterpretq_f16_u16(vld1q_u16(w));
#pragma GCC unroll 7
    for (int i = 0; i < kDwConvPixels; ++i) {
      sums[i] = vfmaq_f16(sums[i], access.Load(x[i * t.step] + c), weights);
    }
  }
#pragma GCC unroll 7
  for (size_t i = 0; i < kDwConvPixels; ++i) {
    if (i >= t.m) break;
    const size_t at = i * t.y_stride + c;
    float16x8_t v = sums[i];
    if (t.start != nullptr) v = vaddq_f16(access.Load(t.start + at), v);
    access.Store(t.y + at, HalfVector::Clamp(v, lo, hi));
  }
}

// Filters of any shape, and channels that fill no vector.
__attribute__((noinline)) void RunAny(const DwConvF16Tile& t, size_t first) {
  size_t c = first;
  for (; c + 8 <= t.channels; c += 8) AnyBlock(t, c, EightHalves{8});
  if (c < t.channels) AnyBlock(t, c, EightHalves{t.channels - c});
}

}  // namespace

void DwConvF16_fp16_7(const DwConvF16Tile& t) {
  const bool square = t.even && t.kernel_h == t.kernel_w && (t.step == 1 || t.step == 2);
  size_t c = 0;
  if (square && t.kernel_w == 3) c = t.step == 1 ? RunSquare<3, 1>(t) : RunSquare<3, 2>(t);
  if (square && t.kernel_w == 5) c = t.step == 1 ? RunSquare<5, 1>(t) : RunSquare<5, 2>(t);
  if (c < t.channels) RunAny(t, c);
}

}  // namespace micrort
