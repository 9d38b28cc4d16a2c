#pragma once
// F32x8 and S32x8 as two NEON registers: `low` holds lanes 0-3, `high` lanes 4-7. See
// kernels/base/simd/vec8.h for the contract. What ARMv7 lacks is in vec8_neon_armv7.h.

#include <arm_neon.h>

#include "kernels/base/simd/vec8.h"

namespace micrort {
namespace {

struct S32x8 {
  using Shift = S32x8;
  int32x4_t low, high;

  static S32x8 Zero() { return Broadcast(0); }
  static S32x8 Broadcast(int32_t x) { return {vdupq_n_s32(x), vdupq_n_s32(x)}; }
  static S32x8 Load(const int32_t* p) { return {vld1q_s32(p), vld1q_s32(p + 4)}; }
  static S32x8 Load(const int16_t* p) { return Widen(vld1q_s16(p)); }
  static S32x8 Load(const int8_t* p) { return Widen(vmovl_s8(vld1_s8(p))); }
  static S32x8 Load(const uint8_t* p) { return Widen(vreinterpretq_s16_u16(vmovl_u8(vld1_u8(p)))); }
  // T: int32_t, int16_t, int8_t or uint8_t.
  template <typename T>
  static S32x8 LoadPartial(const T* p, size_t n) {
    T elements[8] = {};
    __builtin_memcpy(elements, p, n * sizeof(T));
    return Load(elements);
  }
  void Store(int32_t* p) const {
    vst1q_s32(p, low);
    vst1q_s32(p + 4, high);
  }
  void Store(int16_t* p) const { vst1q_s16(p, SaturateToInt16()); }
  void Store(int8_t* p) const { vst1_s8(p, vqmovn_s16(SaturateToInt16())); }
  void Store(uint8_t* p) const { vst1_u8(p, vqmovun_s16(SaturateToInt16())); }
  template <typename T>
  void StorePartial(T* p, size_t n) const {
    T elements[8];
    Store(elements);
    __builtin_memcpy(p, elements, n * sizeof(T));
  }

 private:
  static S32x8 Widen(int16x8_t words) {
    return {vmovl_s16(vget_low_s16(words)), vmovl_s16(vget_high_s16(words))};
  }
  int16x8_t SaturateToInt16() const { return vcombine_s16(vqmovn_s32(low), vqmovn_s32(high)); }
};

struct F32x8 {
  using Int = S32x8;
  float32x4_t low, high;

  static F32x8 Zero() { return Broadcast(0.0f); }
  static F32x8 Broadcast(float x) { return {vdupq_n_f32(x), vdupq_n_f32(x)}; }
  static F32x8 Load(const float* p) { return {vld1q_f32(p), vld1q_f32(p + 4)}; }
  static F32x8 LoadPartial(const float* p, size_t n) {
    float elements[8] = {};
    __builtin_memcpy(elements, p, n * sizeof(float));
    return Load(elements);
  }
  static F32x8 LoadHalf(const uint16_t* p);
  void Store(float* p) const {
    vst1q_f32(p, low);
    vst1q_f32(p + 4, high);
  }
  void StorePartial(float* p, size_t n) const {
    float elements[8];
    Store(elements);
    __builtin_memcpy(p, elements, n * sizeof(float));
  }
  void StoreHalf(uint16_t* p) const;
};

inline S32x8 FromMask(uint32x4_t low, uint32x4_t high) {
  return {vreinterpretq_s32_u32(low), vreinterpretq_s32_u32(high)};
}
inline uint32x4_t ToMask(int32x4_t a) { return vreinterpretq_u32_s32(a); }

inline S32x8 operator+(S32x8 a, S32x8 b) { return {vaddq_s32(a.low, b.low), vaddq_s32(a.high, b.high)}; }
inline S32x8 operator-(S32x8 a, S32x8 b) { return {vsubq_s32(a.low, b.low), vsubq_s32(a.high, b.high)}; }
inline S32x8 operator*(S32x8 a, S32x8 b) { return {vmulq_s32(a.low, b.low), vmulq_s32(a.high, b.high)}; }
inline S32x8 operator&(S32x8 a, S32x8 b) { return {vandq_s32(a.low, b.low), vandq_s32(a.high, b.high)}; }
inline S32x8 operator|(S32x8 a, S32x8 b) { return {vorrq_s32(a.low, b.low), vorrq_s32(a.high, b.high)}; }
inline S32x8 operator^(S32x8 a, S32x8 b) { return {veorq_s32(a.low, b.low), veorq_s32(a.high, b.high)}; }
inline S32x8 operator~(S32x8 a) { return {vmvnq_s32(a.low), vmvnq_s32(a.high)}; }
inline S32x8 Min(S32x8 a, S32x8 b) { return {vminq_s32(a.low, b.low), vminq_s32(a.high, b.high)}; }
inline S32x8 Max(S32x8 a, S32x8 b) { return {vmaxq_s32(a.low, b.low), vmaxq_s32(a.high, b.high)}; }
inline S32x8 ShiftLeft(S32x8 a, int n) {
  return {vshlq_s32(a.low, vdupq_n_s32(n)), vshlq_s32(a.high, vdupq_n_s32(n))};
}
inline S32x8 ShiftRight(S32x8 a, int n) { return ShiftLeft(a, -n); }
inline S32x8 ShiftLeft(S32x8 a, S32x8 n) { return {vshlq_s32(a.low, n.low), vshlq_s32(a.high, n.high)}; }
inline S32x8 ShiftRight(S32x8 a, S32x8 n) {
  return {vshlq_s32(a.low, vnegq_s32(n.low)), vshlq_s32(a.high, vnegq_s32(n.high))};
}
inline S32x8 DoublingHighMul(S32x8 a, S32x8 b) {
  return {vqrdmulhq_s32(a.low, b.low), vqrdmulhq_s32(a.high, b.high)};
}
inline S32x8 Less(S32x8 a, S32x8 b) { return FromMask(vcltq_s32(a.low, b.low), vcltq_s32(a.high, b.high)); }
inline S32x8 Equal(S32x8 a, S32x8 b) { return FromMask(vceqq_s32(a.low, b.low), vceqq_s32(a.high, b.high)); }
inline F32x8 ToFloat(S32x8 a) { return {vcvtq_f32_s32(a.low), vcvtq_f32_s32(a.high)}; }
inline F32x8 AsFloat(S32x8 a) { return {vreinterpretq_f32_s32(a.low), vreinterpretq_f32_s32(a.high)}; }
inline S32x8 Select(S32x8 mask, S32x8 a, S32x8 b) {
  return {vbslq_s32(ToMask(mask.low), a.low, b.low), vbslq_s32(ToMask(mask.high), a.high, b.high)};
}
inline bool AnyTrue(S32x8 mask) {
  const int32x4_t four = vorrq_s32(mask.low, mask.high);
  const int32x2_t two = vorr_s32(vget_low_s32(four), vget_high_s32(four));
  return (vget_lane_s32(two, 0) | vget_lane_s32(two, 1)) != 0;
}

inline F32x8 operator+(F32x8 a, F32x8 b) { return {vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)}; }
inline F32x8 operator-(F32x8 a, F32x8 b) { return {vsubq_f32(a.low, b.low), vsubq_f32(a.high, b.high)}; }
inline F32x8 operator*(F32x8 a, F32x8 b) { return {vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)}; }
inline F32x8 operator-(F32x8 a) { return {vnegq_f32(a.low), vnegq_f32(a.high)}; }
inline F32x8 Abs(F32x8 a) { return {vabsq_f32(a.low), vabsq_f32(a.high)}; }
inline S32x8 AsInt(F32x8 a) { return {vreinterpretq_s32_f32(a.low), vreinterpretq_s32_f32(a.high)}; }
inline S32x8 Less(F32x8 a, F32x8 b) { return FromMask(vcltq_f32(a.low, b.low), vcltq_f32(a.high, b.high)); }
inline S32x8 LessEqual(F32x8 a, F32x8 b) {
  return FromMask(vcleq_f32(a.low, b.low), vcleq_f32(a.high, b.high));
}
inline S32x8 Equal(F32x8 a, F32x8 b) { return FromMask(vceqq_f32(a.low, b.low), vceqq_f32(a.high, b.high)); }
inline S32x8 NotEqual(F32x8 a, F32x8 b) { return ~Equal(a, b); }
inline F32x8 Select(S32x8 mask, F32x8 a, F32x8 b) {
  return {vbslq_f32(ToMask(mask.low), a.low, b.low), vbslq_f32(ToMask(mask.high), a.high, b.high)};
}
// Not vminq and vmaxq: they treat NaN and zeros in another way.
inline F32x8 Min(F32x8 a, F32x8 b) { return Select(Less(a, b), a, b); }
inline F32x8 Max(F32x8 a, F32x8 b) { return Select(Less(b, a), a, b); }

}  // namespace
}  // namespace micrort

#if defined(__aarch64__)
#include "arm/neon/vec8_neon_armv8.h"
#else
#include "arm/neon/vec8_neon_armv7.h"
#endif

namespace micrort {
namespace {

inline S32x8 RoundToIntInRange(F32x8 a) { return RoundToInt(a); }

// The upper half folded onto the lower one, and that folded again: lanes 0 and 1 hold the two subtrees.
inline float32x2_t AddToPair(F32x8 a) {
  const float32x4_t four = vaddq_f32(a.low, a.high);
  return vadd_f32(vget_low_f32(four), vget_high_f32(four));
}
inline float ReduceAdd(F32x8 a) {
  const float32x2_t two = AddToPair(a);
  return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}
inline void ReduceAdd(F32x8 a, F32x8 b, F32x8 c, F32x8 d, float* y) {
  vst1_f32(y, vpadd_f32(AddToPair(a), AddToPair(b)));
  vst1_f32(y + 2, vpadd_f32(AddToPair(c), AddToPair(d)));
}
inline float32x2_t MinPair(float32x2_t a, float32x2_t b) { return vbsl_f32(vclt_f32(a, b), a, b); }
inline float32x2_t MaxPair(float32x2_t a, float32x2_t b) { return vbsl_f32(vcgt_f32(a, b), a, b); }
inline float ReduceMin(F32x8 a) {
  const float32x2_t even_odd = MinPair(MinPair(vget_low_f32(a.low), vget_low_f32(a.high)),
                                       MinPair(vget_high_f32(a.low), vget_high_f32(a.high)));
  return vget_lane_f32(MinPair(even_odd, vrev64_f32(even_odd)), 0);
}
inline float ReduceMax(F32x8 a) {
  const float32x2_t even_odd = MaxPair(MaxPair(vget_low_f32(a.low), vget_low_f32(a.high)),
                                       MaxPair(vget_high_f32(a.low), vget_high_f32(a.high)));
  return vget_lane_f32(MaxPair(even_odd, vrev64_f32(even_odd)), 0);
}

}  // namespace
}  // namespace micrort
