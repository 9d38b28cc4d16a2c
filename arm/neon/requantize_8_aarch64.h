#pragma once
// int32 sums to int8 outputs, eight at a time, with what does not change in registers. See GemmS8Output.

#include <arm_neon.h>

#include <cstdint>

namespace micrort {
namespace {

// Clamped as integers: the bounds are those of the output. Multipliers are those of the first and last four
// sums.
class Requantize8 {
 public:
  Requantize8(const float* low, const float* high, int32_t zero_point, int32_t lo, int32_t hi)
      : low_(vld1q_f32(low)),
        high_(vld1q_f32(high)),
        zero_point_(vdupq_n_s16(static_cast<int16_t>(zero_point))),
        lo_(vdup_n_s8(static_cast<int8_t>(lo))),
        hi_(vdup_n_s8(static_cast<int8_t>(hi))) {}

  float32x4_t ScaledLow(int32x4_t sums) const { return vmulq_f32(vcvtq_f32_s32(sums), low_); }
  float32x4_t ScaledHigh(int32x4_t sums) const { return vmulq_f32(vcvtq_f32_s32(sums), high_); }
  int8x8_t Rounded(float32x4_t low, float32x4_t high) const {
    const int16x8_t y = vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(low)), vcvtnq_s32_f32(high));
    return vmin_s8(vmax_s8(vqmovn_s16(vqaddq_s16(y, zero_point_)), lo_), hi_);
  }
  int8x8_t operator()(int32x4_t low, int32x4_t high) const {
    return Rounded(ScaledLow(low), ScaledHigh(high));
  }

 private:
  float32x4_t low_, high_;
  int16x8_t zero_point_;
  int8x8_t lo_, hi_;
};

}  // namespace
}  // namespace micrort
