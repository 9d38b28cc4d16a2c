#pragma once
// The part of vec8_neon.h that ARMv7 has no vector instructions for. Included by it only. Division and square
// root go lane by lane through the scalar unit, because NEON's estimates are not correctly rounded.

#include "kernels/base/half.h"

namespace micrort {
namespace {

inline F32x8 F32x8::LoadHalf(const uint16_t* p) {
  float lanes[8];
  for (int i = 0; i < 8; ++i) lanes[i] = HalfToFloat(p[i]);
  return Load(lanes);
}
inline void F32x8::StoreHalf(uint16_t* p) const {
  float lanes[8];
  Store(lanes);
  for (int i = 0; i < 8; ++i) p[i] = FloatToHalf(lanes[i]);
}

inline F32x8 operator/(F32x8 a, F32x8 b) {
  float x[8], y[8];
  a.Store(x);
  b.Store(y);
  for (int i = 0; i < 8; ++i) x[i] /= y[i];
  return F32x8::Load(x);
}
inline F32x8 Sqrt(F32x8 a) {
  float x[8];
  a.Store(x);
  for (int i = 0; i < 8; ++i) x[i] = __builtin_sqrtf(x[i]);
  return F32x8::Load(x);
}
inline F32x8 Fma(F32x8 a, F32x8 b, F32x8 c) {
  return {vmlaq_f32(c.low, a.low, b.low), vmlaq_f32(c.high, a.high, b.high)};
}
inline F32x8 RoundEven(F32x8 a) { return EmulatedRoundEven(a); }
inline F32x8 Floor(F32x8 a) { return EmulatedFloor(a); }
inline F32x8 Ceil(F32x8 a) { return EmulatedCeil(a); }
inline F32x8 Trunc(F32x8 a) { return EmulatedTrunc(a); }
// The instruction truncates, saturates and turns NaN into 0.
inline S32x8 RoundToInt(F32x8 a) {
  const F32x8 r = RoundEven(a);
  return {vcvtq_s32_f32(r.low), vcvtq_s32_f32(r.high)};
}

}  // namespace
}  // namespace micrort
