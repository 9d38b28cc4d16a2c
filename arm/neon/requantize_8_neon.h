#pragma once
// int32 sums to int8 outputs, eight at a time, with what does not change in registers. See GemmS8Output.

#include <arm_neon.h>

#include <cstdint>

namespace micrort {
namespace {

// The bounds are those of the output; multipliers of the first four and of the last four sums.
#if defined(__aarch64__)

// Clamped as integers.
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

#else

// ARMv7 cannot round but by adding a large number, whose last bits are the integer then; so it clamps before
// that.
class Requantize8 {
 public:
  Requantize8(const float* low, const float* high, int32_t zero_point, int32_t lo, int32_t hi)
      : low_(vld1q_f32(low)),
        high_(vld1q_f32(high)),
        lo_(vdupq_n_f32(static_cast<float>(lo - zero_point))),
        hi_(vdupq_n_f32(static_cast<float>(hi - zero_point))),
        rounder_(vdupq_n_f32(kRounder)),
        to_int_(vdupq_n_s32(kRounderBits - zero_point)) {}

  float32x4_t ScaledLow(int32x4_t sums) const { return vmulq_f32(vcvtq_f32_s32(sums), low_); }
  float32x4_t ScaledHigh(int32x4_t sums) const { return vmulq_f32(vcvtq_f32_s32(sums), high_); }
  int8x8_t Rounded(float32x4_t low, float32x4_t high) const {
    return vmovn_s16(vcombine_s16(Round(low), Round(high)));
  }
  int8x8_t operator()(int32x4_t low, int32x4_t high) const {
    return Rounded(ScaledLow(low), ScaledHigh(high));
  }

 private:
  static constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23
  static constexpr int32_t kRounderBits = 0x4b400000;

  int16x4_t Round(float32x4_t v) const {
    const float32x4_t clamped = vminq_f32(vmaxq_f32(v, lo_), hi_);
    return vmovn_s32(vsubq_s32(vreinterpretq_s32_f32(vaddq_f32(clamped, rounder_)), to_int_));
  }

  float32x4_t low_, high_, lo_, hi_, rounder_;
  int32x4_t to_int_;
};

#endif

}  // namespace
}  // namespace micrort
