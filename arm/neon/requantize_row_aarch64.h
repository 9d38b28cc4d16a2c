#pragma once
// int32 sums to int8 outputs, sixteen at a time: clamped as integers, with what does not change in registers.

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

namespace micrort {
namespace {

// multipliers: [16]. See GemmS8Output.
struct RequantizeRow {
  float32x4_t multipliers[4];
  int16x8_t zero_point;
  int8x16_t lo, hi;

  RequantizeRow(const float* m, int32_t zero, int32_t low, int32_t high)
      : multipliers{vld1q_f32(m), vld1q_f32(m + 4), vld1q_f32(m + 8), vld1q_f32(m + 12)},
        zero_point(vdupq_n_s16(static_cast<int16_t>(zero))),
        lo(vdupq_n_s8(static_cast<int8_t>(low))),
        hi(vdupq_n_s8(static_cast<int8_t>(high))) {}

  int8x16_t operator()(int32x4_t s0, int32x4_t s1, int32x4_t s2, int32x4_t s3) const {
    const int16x8_t low = vqmovn_high_s32(vqmovn_s32(Round<0>(s0)), Round<1>(s1));
    const int16x8_t high = vqmovn_high_s32(vqmovn_s32(Round<2>(s2)), Round<3>(s3));
    const int8x16_t y =
        vqmovn_high_s16(vqmovn_s16(vqaddq_s16(low, zero_point)), vqaddq_s16(high, zero_point));
    return vminq_s8(vmaxq_s8(y, lo), hi);
  }

 private:
  template <int J>
  int32x4_t Round(int32x4_t sums) const {
    return vcvtnq_s32_f32(vmulq_f32(vcvtq_f32_s32(sums), multipliers[J]));
  }
};

}  // namespace
}  // namespace micrort
