#pragma once
// Vectors of four columns, shared by the int4 GEMM kernels of AArch64.

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_s4.h"

namespace micrort {

namespace {

struct Vec4S4 {
  using Bytes = int8x16_t;
  using Sums = int32x4_t;
  using Floats = float32x4_t;
  static constexpr int kLanes = 4;
  static constexpr bool kSplit = false;

  static Bytes Load(const uint8_t* p) { return vreinterpretq_s8_u8(vld1q_u8(p)); }
  static Bytes Low(Bytes b) { return vreinterpretq_s8_u8(vandq_u8(vreinterpretq_u8_s8(b), vdupq_n_u8(15))); }
  static Bytes High(Bytes b) { return vreinterpretq_s8_u8(vshrq_n_u8(vreinterpretq_u8_s8(b), 4)); }
  static Bytes Broadcast(const int8_t* p) {
    int32_t four;
    __builtin_memcpy(&four, p, sizeof four);
    return vreinterpretq_s8_s32(vdupq_n_s32(four));
  }
  static Sums Start(int32_t n) { return vdupq_n_s32(-kInt4Center * n); }
  template <int kShift>
  static Sums Start(const uint8_t* zero_points, int32_t n) {
    uint32_t four;
    __builtin_memcpy(&four, zero_points, sizeof four);
    four = four >> kShift & 0x0f0f0f0fu;
    const uint16x8_t halves = vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(four)));
    return vmulq_n_s32(vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(halves))), -n);
  }
  static Sums Plus(Sums a, Sums b) { return vaddq_s32(a, b); }
  static Floats None() { return vdupq_n_f32(0.0f); }
  static Floats LoadFloats(const uint8_t* p) { return vreinterpretq_f32_u8(vld1q_u8(p)); }
  static Floats LoadHalves(const uint8_t* p) { return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(p))); }
  static Floats AddScaled(Floats total, Sums sums, Floats scales, float of_row) {
    const float32x4_t scaled = vmulq_f32(vcvtq_f32_s32(sums), scales);
    return vaddq_f32(total, vmulq_n_f32(scaled, of_row));
  }
  static void Store(float* p, Floats v) { vst1q_f32(p, v); }
};

}  // namespace

}  // namespace micrort
