#pragma once
// int32 sums to int8 outputs, eight at a time, with what does not change in registers. See GemmS8Output.

#include <arm_neon.h>

#include <cstdint>

#if !defined(__aarch64__)
#include "arm/neon/load_pair_armv7.h"
#endif

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
        lo_(vdupq_n_s8(static_cast<int8_t>(lo))),
        hi_(vdupq_n_s8(static_cast<int8_t>(hi))) {}

  float32x4_t ScaledLow(int32x4_t sums) const { return vmulq_f32(vcvtq_f32_s32(sums), low_); }
  float32x4_t ScaledHigh(int32x4_t sums) const { return vmulq_f32(vcvtq_f32_s32(sums), high_); }
  int8x8_t Rounded(float32x4_t low, float32x4_t high) const {
    const int8x8_t y = vqmovn_s16(Added(low, high));
    return vmin_s8(vmax_s8(y, vget_low_s8(lo_)), vget_low_s8(hi_));
  }
  int8x8_t operator()(int32x4_t low, int32x4_t high) const {
    return Rounded(ScaledLow(low), ScaledHigh(high));
  }
  // Requantizes two rows: the first one's eight and then the second one's.
  int8x16_t TwoRows(int32x4_t low0, int32x4_t high0, int32x4_t low1, int32x4_t high1) const {
    const int8x8_t first = vqmovn_s16(Added(ScaledLow(low0), ScaledHigh(high0)));
    const int8x16_t y = vqmovn_high_s16(first, Added(ScaledLow(low1), ScaledHigh(high1)));
    return vminq_s8(vmaxq_s8(y, lo_), hi_);
  }

 private:
  int16x8_t Added(float32x4_t low, float32x4_t high) const {
    const int16x8_t y = vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(low)), vcvtnq_s32_f32(high));
    return vqaddq_s16(y, zero_point_);
  }

  float32x4_t low_, high_;
  int16x8_t zero_point_;
  int8x16_t lo_, hi_;
};

// For loops over tiles: there are registers for all of it.
using StoredRequantize8 = Requantize8;
inline const Requantize8& Load(const StoredRequantize8& stored) { return stored; }

#else

// ARMv7 cannot round but by adding a large number, whose last bits are the integer then; so it clamps before
// that.
class Requantize8 {
 public:
  Requantize8(float32x4x2_t multipliers, float32x4x2_t bounds, float32x4_t rounder, int8x16_t zero_point)
      : low_(multipliers.val[0]),
        high_(multipliers.val[1]),
        lo_(bounds.val[0]),
        hi_(bounds.val[1]),
        rounder_(rounder),
        zero_point_(zero_point) {}
  Requantize8(const float* low, const float* high, int32_t zero_point, int32_t lo, int32_t hi)
      : low_(vld1q_f32(low)),
        high_(vld1q_f32(high)),
        lo_(vdupq_n_f32(static_cast<float>(lo - zero_point))),
        hi_(vdupq_n_f32(static_cast<float>(hi - zero_point))),
        rounder_(vdupq_n_f32(kRounder)),
        zero_point_(vdupq_n_s8(static_cast<int8_t>(zero_point))) {}

  void Store(float* out) const {
    vst1q_f32(out, low_);
    vst1q_f32(out + 4, high_);
    vst1q_f32(out + 8, lo_);
    vst1q_f32(out + 12, hi_);
    vst1q_f32(out + 16, rounder_);
    vst1q_f32(out + 20, vreinterpretq_f32_s8(zero_point_));
  }

  float32x4_t ScaledLow(int32x4_t sums) const { return vmulq_f32(vcvtq_f32_s32(sums), low_); }
  float32x4_t ScaledHigh(int32x4_t sums) const { return vmulq_f32(vcvtq_f32_s32(sums), high_); }
  int8x8_t Rounded(float32x4_t low, float32x4_t high) const {
    return vadd_s8(vmovn_s16(Round(low, high)), vget_low_s8(zero_point_));
  }
  int8x8_t operator()(int32x4_t low, int32x4_t high) const {
    return Rounded(ScaledLow(low), ScaledHigh(high));
  }
  // Requantizes two rows: the first one's eight and then the second one's.
  int8x16_t TwoRows(int32x4_t low0, int32x4_t high0, int32x4_t low1, int32x4_t high1) const {
    const int16x8_t first = Round(ScaledLow(low0), ScaledHigh(high0));
    const int16x8_t second = Round(ScaledLow(low1), ScaledHigh(high1));
    int8x16_t y = vreinterpretq_s8_s16(first), other = vreinterpretq_s8_s16(second);
    __asm__("vuzp.8 %q0, %q1" : "+w"(y), "+w"(other));
    return vaddq_s8(y, zero_point_);
  }

 private:
  static constexpr float kRounder = 12582912.0f;  // 1.5 * 2^23, whose last sixteen bits are zero

  // Integers, which are the last bits of the sums, without the zero point.
  // As vuzpq, of whose two results GCC makes copies.
  int16x8_t Round(float32x4_t low, float32x4_t high) const {
    int16x8_t even = Clamped(low), odd = Clamped(high);
    __asm__("vuzp.16 %q0, %q1" : "+w"(even), "+w"(odd));
    return even;
  }
  int16x8_t Clamped(float32x4_t v) const {
    return vreinterpretq_s16_f32(vaddq_f32(vminq_f32(vmaxq_f32(v, lo_), hi_), rounder_));
  }

  float32x4_t low_, high_, lo_, hi_, rounder_;
  int8x16_t zero_point_;
};

// For loops over tiles, whose sums leave no registers for it: loaded by three instructions, where GCC has
// twelve for vectors that it spills.
class StoredRequantize8 {
 public:
  template <typename... Arguments>
  explicit StoredRequantize8(Arguments... arguments) {
    Requantize8(arguments...).Store(vectors_);
  }
  friend Requantize8 Load(const StoredRequantize8& stored) {
    const float* p = stored.vectors_;
    const float32x4x2_t multipliers = LoadPair(&p), bounds = LoadPair(&p), rest = LoadPair(&p);
    return {multipliers, bounds, rest.val[0], vreinterpretq_s8_f32(rest.val[1])};
  }

 private:
  alignas(16) float vectors_[6 * 4];
};

#endif

}  // namespace
}  // namespace micrort
