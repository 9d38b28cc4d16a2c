#include <arm_neon.h>

#include "kernels/layer_s16/finish_s16.h"

namespace micrort {
namespace {

// Channels j and j + 1 of one output pixel; integers saturate.
inline int64x2_t FinishTwo(float64x2_t sum, const double* scales) {
  return vcvtmq_s64_f64(vaddq_f64(vmulq_f64(sum, vld1q_f64(scales)), vdupq_n_f64(0.5)));
}

// Channels j to j + 3.
inline int16x4_t FinishFour(const int32_t* acc, const FinishS16Tile& t, size_t j) {
  float64x2_t first = vld1q_f64(t.bias + j), second = vld1q_f64(t.bias + j + 2);
  for (size_t b = 0;;) {
    const int32x4_t sums = vld1q_s32(acc);
    first = vaddq_f64(first, vcvtq_f64_s64(vmovl_s32(vget_low_s32(sums))));
    second = vaddq_f64(second, vcvtq_f64_s64(vmovl_high_s32(sums)));
    if (++b == t.blocks) break;
    acc += t.block_stride;
  }
  const int32x2_t low = vqmovn_s64(FinishTwo(first, t.scales + j));
  return vqmovn_s32(vqmovn_high_s64(low, FinishTwo(second, t.scales + j + 2)));
}

}  // namespace

void FinishS16_neon64(const FinishS16Tile& tile) {
  const FinishS16Tile t = tile;  // which no output overlaps
  constexpr size_t kStep = 8;
  const int16x8_t lo = vdupq_n_s16(static_cast<int16_t>(t.lo)), hi = vdupq_n_s16(static_cast<int16_t>(t.hi));
  for (size_t i = 0; i < t.m; ++i) {
    const int32_t* acc = t.acc + i * t.acc_stride;
    int16_t* y = t.y + i * t.y_stride;
    for (size_t j = 0; j < t.n; j += kStep) {
      const int16x8_t eight =
          vcombine_s16(FinishFour(acc + j, t, j), FinishFour(acc + j + kStep / 2, t, j + kStep / 2));
      const int16x8_t words = vminq_s16(vmaxq_s16(eight, lo), hi);
      if (j + kStep <= t.n) {
        vst1q_s16(y + j, words);
      } else {
        __builtin_memcpy(y + j, &words, (t.n - j) * sizeof(int16_t));
      }
    }
  }
}

}  // namespace micrort
