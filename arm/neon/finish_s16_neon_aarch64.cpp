#include <arm_neon.h>

#include "kernels/layer_s16/finish_s16.h"

namespace micrort {
namespace {

// A number for each of four channels, in two registers.
struct FourDoubles {
  float64x2_t low, high;

  static FourDoubles Load(const double* x) { return {vld1q_f64(x), vld1q_f64(x + 2)}; }
  // Adds the four sums at x.
  FourDoubles Plus(const int32_t* x) const {
    const int32x4_t four = vld1q_s32(x);
    return {vaddq_f64(low, vcvtq_f64_s64(vmovl_s32(vget_low_s32(four)))),
            vaddq_f64(high, vcvtq_f64_s64(vmovl_high_s32(four)))};
  }
};

// Integers saturate.
inline int64x2_t Scale(float64x2_t sum, float64x2_t scales) {
  return vcvtmq_s64_f64(vaddq_f64(vmulq_f64(sum, scales), vdupq_n_f64(0.5)));
}
inline int16x4_t Scale(const FourDoubles& sum, const FourDoubles& scales) {
  const int32x2_t low = vqmovn_s64(Scale(sum.low, scales.low));
  return vqmovn_s32(vqmovn_high_s64(low, Scale(sum.high, scales.high)));
}

}  // namespace

void FinishS16_neon64(const FinishS16Tile& tile) {
  const FinishS16Tile t = tile;  // which no output overlaps
  constexpr size_t kStep = 8, kHalf = kStep / 2;
  const int16x8_t lo = vdupq_n_s16(static_cast<int16_t>(t.lo)), hi = vdupq_n_s16(static_cast<int16_t>(t.hi));
  for (size_t j = 0; j < t.n; j += kStep) {
    const auto first_bias = FourDoubles::Load(t.bias + j),
               second_bias = FourDoubles::Load(t.bias + j + kHalf);
    const auto first_scales = FourDoubles::Load(t.scales + j),
               second_scales = FourDoubles::Load(t.scales + j + kHalf);
    const size_t columns = t.n - j;
    for (size_t i = 0; i < t.m; ++i) {
      const int32_t* acc = t.acc + i * t.acc_stride + j;
      FourDoubles first = first_bias.Plus(acc), second = second_bias.Plus(acc + kHalf);
      for (size_t b = 1; b < t.blocks; ++b) {
        acc += t.block_stride;
        first = first.Plus(acc);
        second = second.Plus(acc + kHalf);
      }
      const int16x8_t eight = vcombine_s16(Scale(first, first_scales), Scale(second, second_scales));
      const int16x8_t words = vminq_s16(vmaxq_s16(eight, lo), hi);
      int16_t* const y = t.y + i * t.y_stride + j;
      if (columns >= kStep) {
        vst1q_s16(y, words);
      } else {
        int16_t tail[kStep];
        vst1q_s16(tail, words);
        __builtin_memcpy(y, tail, columns * sizeof *y);
      }
    }
  }
}

}  // namespace micrort
