#include <arm_neon.h>

#include "kernels/layer_s16/finish_s16.h"

namespace micrort {
namespace {

struct FinishBoundsNeon {
  float64x2_t lo, hi;
};

// Channels j and j + 1 of one output pixel.
inline int32x2_t FinishTwo(const int32_t* acc, const FinishS16Tile& t, size_t j,
                           const FinishBoundsNeon& bounds) {
  float64x2_t sum = vld1q_f64(t.bias + j);
  for (size_t b = 0; b < t.blocks; ++b, acc += t.block_stride)
    sum = vaddq_f64(sum, vcvtq_f64_s64(vmovl_s32(vld1_s32(acc))));
  const float64x2_t product = vmulq_f64(sum, vld1q_f64(t.scales + j));
  const float64x2_t rounded = vrndmq_f64(vaddq_f64(product, vdupq_n_f64(0.5)));
  return vmovn_s64(vcvtq_s64_f64(vminq_f64(vmaxq_f64(rounded, bounds.lo), bounds.hi)));
}

}  // namespace

void FinishS16_neon64(const FinishS16Tile& t) {
  constexpr size_t kStep = 4;
  const FinishBoundsNeon bounds = {vdupq_n_f64(t.lo), vdupq_n_f64(t.hi)};
  for (size_t i = 0; i < t.m; ++i) {
    const int32_t* acc = t.acc + i * t.acc_stride;
    int16_t* y = t.y + i * t.y_stride;
    for (size_t j = 0; j < t.n; j += kStep) {
      const int16x4_t words =
          vmovn_s32(vcombine_s32(FinishTwo(acc + j, t, j, bounds), FinishTwo(acc + j + 2, t, j + 2, bounds)));
      if (j + kStep <= t.n) {
        vst1_s16(y + j, words);
      } else {
        __builtin_memcpy(y + j, &words, (t.n - j) * sizeof(int16_t));
      }
    }
  }
}

}  // namespace micrort
