#pragma once
// The part of vec8_neon.h that needs AArch64's instructions. Included by it only.

namespace micrort {
namespace {

inline F32x8 F32x8::LoadHalf(const uint16_t* p) {
  const uint16x8_t halves = vld1q_u16(p);
  return {vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(halves))),
          vcvt_f32_f16(vreinterpret_f16_u16(vget_high_u16(halves)))};
}
inline void F32x8::StoreHalf(uint16_t* p) const {
  vst1_u16(p, vreinterpret_u16_f16(vcvt_f16_f32(low)));
  vst1_u16(p + 4, vreinterpret_u16_f16(vcvt_f16_f32(high)));
}

inline F32x8 operator/(F32x8 a, F32x8 b) { return {vdivq_f32(a.low, b.low), vdivq_f32(a.high, b.high)}; }
inline F32x8 Fma(F32x8 a, F32x8 b, F32x8 c) {
  return {vfmaq_f32(c.low, a.low, b.low), vfmaq_f32(c.high, a.high, b.high)};
}
inline F32x8 Sqrt(F32x8 a) { return {vsqrtq_f32(a.low), vsqrtq_f32(a.high)}; }
inline F32x8 RoundEven(F32x8 a) { return {vrndnq_f32(a.low), vrndnq_f32(a.high)}; }
inline F32x8 Floor(F32x8 a) { return {vrndmq_f32(a.low), vrndmq_f32(a.high)}; }
inline F32x8 Ceil(F32x8 a) { return {vrndpq_f32(a.low), vrndpq_f32(a.high)}; }
inline F32x8 Trunc(F32x8 a) { return {vrndq_f32(a.low), vrndq_f32(a.high)}; }
inline S32x8 RoundToInt(F32x8 a) { return {vcvtnq_s32_f32(a.low), vcvtnq_s32_f32(a.high)}; }

}  // namespace
}  // namespace micrort
