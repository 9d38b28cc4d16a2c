#pragma once
// F32x8 and S32x8 as two vectors of WebAssembly: `low` holds lanes 0-3, `high` lanes 4-7. See
// kernels/base/simd/vec8.h for the contract.

#include <wasm_simd128.h>

#include "kernels/base/simd/vec8.h"

namespace micrort {
namespace {

// The first n of four elements of four bytes, the others zero.
inline v128_t LoadFirst(const void* p, size_t n) {
  const auto* elements = static_cast<const int32_t*>(p);
  if (n >= 4) return wasm_v128_load(p);
  if (n == 0) return wasm_i32x4_const_splat(0);
  const v128_t last = wasm_v128_load32_zero(elements + n - 1);
  if (n == 1) return last;
  const v128_t two = wasm_v128_load64_zero(p);
  return n == 2 ? two : wasm_i64x2_shuffle(two, last, 0, 2);
}
inline void StoreFirst(void* p, size_t n, v128_t v) {
  auto* elements = static_cast<int32_t*>(p);
  if (n >= 4) return wasm_v128_store(p, v);
  if (n >= 2) wasm_v128_store64_lane(p, v, 0);
  if (n == 1) wasm_v128_store32_lane(elements, v, 0);
  if (n == 3) wasm_v128_store32_lane(elements + 2, v, 2);
}

struct S32x8 {
  using Shift = int;
  v128_t low, high;

  static S32x8 Zero() { return Broadcast(0); }
  static S32x8 Broadcast(int32_t x) { return {wasm_i32x4_splat(x), wasm_i32x4_splat(x)}; }
  static S32x8 Load(const int32_t* p) { return {wasm_v128_load(p), wasm_v128_load(p + 4)}; }
  static S32x8 Load(const int16_t* p) { return {wasm_i32x4_load16x4(p), wasm_i32x4_load16x4(p + 4)}; }
  static S32x8 Load(const int8_t* p) {
    const v128_t words = wasm_i16x8_load8x8(p);
    return {wasm_i32x4_extend_low_i16x8(words), wasm_i32x4_extend_high_i16x8(words)};
  }
  static S32x8 Load(const uint8_t* p) {
    const v128_t words = wasm_u16x8_load8x8(p);
    return {wasm_u32x4_extend_low_u16x8(words), wasm_u32x4_extend_high_u16x8(words)};
  }
  static S32x8 LoadPartial(const int32_t* p, size_t n) {
    return {LoadFirst(p, n), n > 4 ? LoadFirst(p + 4, n - 4) : wasm_i32x4_const_splat(0)};
  }
  // T: int16_t, int8_t or uint8_t.
  template <typename T>
  static S32x8 LoadPartial(const T* p, size_t n) {
    T elements[8] = {};
    __builtin_memcpy(elements, p, n * sizeof(T));
    return Load(elements);
  }
  void Store(int32_t* p) const {
    wasm_v128_store(p, low);
    wasm_v128_store(p + 4, high);
  }
  void Store(int16_t* p) const { wasm_v128_store(p, wasm_i16x8_narrow_i32x4(low, high)); }
  void Store(int8_t* p) const {
    const v128_t words = wasm_i16x8_narrow_i32x4(low, high);
    wasm_v128_store64_lane(p, wasm_i8x16_narrow_i16x8(words, words), 0);
  }
  void Store(uint8_t* p) const {
    const v128_t words = wasm_i16x8_narrow_i32x4(low, high);
    wasm_v128_store64_lane(p, wasm_u8x16_narrow_i16x8(words, words), 0);
  }
  void StorePartial(int32_t* p, size_t n) const {
    StoreFirst(p, n, low);
    if (n > 4) StoreFirst(p + 4, n - 4, high);
  }
  template <typename T>
  void StorePartial(T* p, size_t n) const {
    T elements[8];
    Store(elements);
    __builtin_memcpy(p, elements, n * sizeof(T));
  }
};

struct F32x8 {
  using Int = S32x8;
  v128_t low, high;

  static F32x8 Zero() { return Broadcast(0.0f); }
  static F32x8 Broadcast(float x) { return {wasm_f32x4_splat(x), wasm_f32x4_splat(x)}; }
  static F32x8 Load(const float* p) { return {wasm_v128_load(p), wasm_v128_load(p + 4)}; }
  static F32x8 LoadPartial(const float* p, size_t n) {
    return {LoadFirst(p, n), n > 4 ? LoadFirst(p + 4, n - 4) : wasm_i32x4_const_splat(0)};
  }
  static F32x8 LoadHalf(const uint16_t* p);
  void Store(float* p) const {
    wasm_v128_store(p, low);
    wasm_v128_store(p + 4, high);
  }
  void StorePartial(float* p, size_t n) const {
    StoreFirst(p, n, low);
    if (n > 4) StoreFirst(p + 4, n - 4, high);
  }
  void StoreHalf(uint16_t* p) const;
};

// Applies an intrinsic to both halves.
#define MICRORT_HALVES1(intrinsic, a) intrinsic((a).low), intrinsic((a).high)
#define MICRORT_HALVES2(intrinsic, a, b) intrinsic((a).low, (b).low), intrinsic((a).high, (b).high)

// Bits 31 to 62 of products of 64 bits.
inline v128_t MiddleBits(v128_t low, v128_t high) {
  return wasm_i32x4_shuffle(wasm_u64x2_shr(low, 31), wasm_u64x2_shr(high, 31), 0, 2, 4, 6);
}
// b as it is. Clang would widen what is the same in all rounds of a loop before it; the product that is left
// is one of 64 bits, of which CPUs make ten instructions.
inline v128_t WidenedWithTheProduct(v128_t b) {
  __asm__ volatile("" : "+r"(b));
  return b;
}
inline v128_t DoublingHighMulLanes(v128_t a, v128_t b) {
  const v128_t half = wasm_i64x2_const_splat(int64_t{1} << 30), by = WidenedWithTheProduct(b);
  return MiddleBits(wasm_i64x2_add(wasm_i64x2_extmul_low_i32x4(a, by), half),
                    wasm_i64x2_add(wasm_i64x2_extmul_high_i32x4(a, by), half));
}
// The bits of whole numbers from 0 to 2^31, which becomes INT32_MIN.
inline v128_t BitsOfWholeLanes(v128_t a) { return wasm_u32x4_trunc_sat_f32x4(a); }
// The instruction shifts all lanes by one number; so by products with 2^(31 - n). Its opposite fits where
// n = 0, too; what depends on n alone is done before a loop.
inline v128_t ShiftRightLanes(v128_t a, v128_t n) {
  const v128_t exponents = wasm_i32x4_shl(wasm_i32x4_sub(wasm_i32x4_const_splat(31 + 127), n), 23);
  const v128_t opposites = WidenedWithTheProduct(wasm_i32x4_neg(BitsOfWholeLanes(exponents)));
  return MiddleBits(wasm_i64x2_neg(wasm_i64x2_extmul_low_i32x4(a, opposites)),
                    wasm_i64x2_neg(wasm_i64x2_extmul_high_i32x4(a, opposites)));
}

inline S32x8 operator+(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_i32x4_add, a, b)}; }
inline S32x8 operator-(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_i32x4_sub, a, b)}; }
inline S32x8 operator*(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_i32x4_mul, a, b)}; }
inline S32x8 operator&(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_v128_and, a, b)}; }
inline S32x8 operator|(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_v128_or, a, b)}; }
inline S32x8 operator^(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_v128_xor, a, b)}; }
inline S32x8 operator~(S32x8 a) { return {MICRORT_HALVES1(wasm_v128_not, a)}; }
inline S32x8 Min(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_i32x4_min, a, b)}; }
inline S32x8 Max(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_i32x4_max, a, b)}; }
inline S32x8 ShiftLeft(S32x8 a, int n) { return {wasm_i32x4_shl(a.low, n), wasm_i32x4_shl(a.high, n)}; }
inline S32x8 ShiftRight(S32x8 a, int n) { return {wasm_i32x4_shr(a.low, n), wasm_i32x4_shr(a.high, n)}; }
// Powers of two by the exponents of floats.
inline S32x8 ShiftLeft(S32x8 a, S32x8 n) {
  const S32x8 exponents = ShiftLeft(n + S32x8::Broadcast(127), 23);
  return a * S32x8{MICRORT_HALVES1(BitsOfWholeLanes, exponents)};
}
inline S32x8 ShiftRight(S32x8 a, S32x8 n) { return {MICRORT_HALVES2(ShiftRightLanes, a, n)}; }
inline S32x8 DoublingHighMul(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(DoublingHighMulLanes, a, b)}; }
inline S32x8 Less(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_i32x4_lt, a, b)}; }
inline S32x8 Equal(S32x8 a, S32x8 b) { return {MICRORT_HALVES2(wasm_i32x4_eq, a, b)}; }
inline F32x8 ToFloat(S32x8 a) { return {MICRORT_HALVES1(wasm_f32x4_convert_i32x4, a)}; }
inline F32x8 AsFloat(S32x8 a) { return {a.low, a.high}; }
inline S32x8 Select(S32x8 mask, S32x8 a, S32x8 b) {
  return {wasm_v128_bitselect(a.low, b.low, mask.low), wasm_v128_bitselect(a.high, b.high, mask.high)};
}
inline bool AnyTrue(S32x8 mask) { return wasm_v128_any_true(wasm_v128_or(mask.low, mask.high)); }

inline F32x8 operator+(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_add, a, b)}; }
inline F32x8 operator-(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_sub, a, b)}; }
inline F32x8 operator*(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_mul, a, b)}; }
inline F32x8 operator/(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_div, a, b)}; }
inline F32x8 operator-(F32x8 a) { return {MICRORT_HALVES1(wasm_f32x4_neg, a)}; }
// The second operand where the comparison says no, zeros and NaN included.
inline F32x8 Min(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_pmin, b, a)}; }
inline F32x8 Max(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_pmax, b, a)}; }
inline F32x8 Fma(F32x8 a, F32x8 b, F32x8 c) { return a * b + c; }
inline F32x8 Sqrt(F32x8 a) { return {MICRORT_HALVES1(wasm_f32x4_sqrt, a)}; }
inline F32x8 Abs(F32x8 a) { return {MICRORT_HALVES1(wasm_f32x4_abs, a)}; }
inline F32x8 RoundEven(F32x8 a) { return {MICRORT_HALVES1(wasm_f32x4_nearest, a)}; }
inline F32x8 Floor(F32x8 a) { return {MICRORT_HALVES1(wasm_f32x4_floor, a)}; }
inline F32x8 Ceil(F32x8 a) { return {MICRORT_HALVES1(wasm_f32x4_ceil, a)}; }
inline F32x8 Trunc(F32x8 a) { return {MICRORT_HALVES1(wasm_f32x4_trunc, a)}; }
inline S32x8 AsInt(F32x8 a) { return {a.low, a.high}; }
inline S32x8 Less(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_lt, a, b)}; }
inline S32x8 LessEqual(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_le, a, b)}; }
inline S32x8 Equal(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_eq, a, b)}; }
inline S32x8 NotEqual(F32x8 a, F32x8 b) { return {MICRORT_HALVES2(wasm_f32x4_ne, a, b)}; }
inline F32x8 Select(S32x8 mask, F32x8 a, F32x8 b) { return AsFloat(Select(mask, AsInt(a), AsInt(b))); }
// The instruction saturates and makes 0 of NaN.
inline S32x8 RoundToInt(F32x8 a) {
  const F32x8 rounded = RoundEven(a);
  return {MICRORT_HALVES1(wasm_i32x4_trunc_sat_f32x4, rounded)};
}
inline S32x8 RoundToIntInRange(F32x8 a) { return RoundToInt(a); }
// For |a| < 2^22: the last bits of a sum. To convert floats takes eight instructions of x86.
inline S32x8 RoundToSmallInt(F32x8 a) {
  const F32x8 rounding = F32x8::Broadcast(0x1.8p23f);
  return AsInt(a + rounding) - AsInt(rounding);
}

#undef MICRORT_HALVES1
#undef MICRORT_HALVES2

// Conversions to and from halves as those of kernels/base/half.h.
inline F32x8 F32x8::LoadHalf(const uint16_t* p) {
  const S32x8 bits = {wasm_u32x4_load16x4(p), wasm_u32x4_load16x4(p + 4)};
  const S32x8 magnitude = bits & S32x8::Broadcast(0x7fff);
  // Twice for infinities and NaN, whose exponents have all bits set in both formats.
  const S32x8 bias = S32x8::Broadcast(112 << 23);
  const S32x8 normal = ShiftLeft(magnitude, 13) + bias + (Less(S32x8::Broadcast(0x7bff), magnitude) & bias);
  const S32x8 subnormal = AsInt(ToFloat(magnitude) * Broadcast(0x1p-24f));
  const S32x8 sign = ShiftLeft(bits & S32x8::Broadcast(0x8000), 16);
  return AsFloat(Select(Less(magnitude, S32x8::Broadcast(0x400)), subnormal, normal) | sign);
}
inline void F32x8::StoreHalf(uint16_t* p) const {
  const S32x8 bits = AsInt(*this);
  const S32x8 magnitude = bits & S32x8::Broadcast(0x7fffffff);
  const S32x8 odd = ShiftRight(magnitude, 13) & S32x8::Broadcast(1);
  S32x8 half = ShiftRight(magnitude + odd + S32x8::Broadcast(0xfff - 0x38000000), 13);
  // Adding 0.5 leaves a subnormal's bits at the bottom of the float, rounded to nearest even.
  const F32x8 point = Broadcast(0.5f);
  half = Select(Less(magnitude, S32x8::Broadcast(0x38800000)),
                AsInt(AsFloat(magnitude) + point) - AsInt(point), half);
  half = Select(Less(S32x8::Broadcast(0x477fefff), magnitude), S32x8::Broadcast(0x7c00), half);
  half = Select(Less(S32x8::Broadcast(0x7f800000), magnitude), S32x8::Broadcast(0x7e00), half);
  half = half | (ShiftRight(bits, 16) & S32x8::Broadcast(0x8000));
  wasm_v128_store(p, wasm_u16x8_narrow_i32x4(half.low, half.high));
}

// Lanes 2 and 3, below anything.
inline v128_t UpperPair(v128_t a) { return wasm_i64x2_shuffle(a, a, 1, 1); }

// The upper half folded onto the lower one, and that folded again: lanes 0 and 1 hold the two subtrees.
inline float ReduceAdd(F32x8 a) {
  const v128_t four = wasm_f32x4_add(a.low, a.high);
  const v128_t two = wasm_f32x4_add(four, UpperPair(four));
  return wasm_f32x4_extract_lane(two, 0) + wasm_f32x4_extract_lane(two, 1);
}
// Both subtrees of a, and of b behind them.
inline v128_t AddToPairs(F32x8 a, F32x8 b) {
  const v128_t of_a = wasm_f32x4_add(a.low, a.high), of_b = wasm_f32x4_add(b.low, b.high);
  return wasm_f32x4_add(wasm_i64x2_shuffle(of_a, of_b, 0, 2), wasm_i64x2_shuffle(of_a, of_b, 1, 3));
}
inline void ReduceAdd(F32x8 a, F32x8 b, F32x8 c, F32x8 d, float* y) {
  const v128_t ab = AddToPairs(a, b), cd = AddToPairs(c, d);
  wasm_v128_store(
      y, wasm_f32x4_add(wasm_i32x4_shuffle(ab, cd, 0, 2, 4, 6), wasm_i32x4_shuffle(ab, cd, 1, 3, 5, 7)));
}
inline float ReduceMin(F32x8 a) {
  const v128_t four = wasm_f32x4_pmin(a.high, a.low);
  const v128_t two = wasm_f32x4_pmin(UpperPair(four), four);
  const float x = wasm_f32x4_extract_lane(two, 0), y = wasm_f32x4_extract_lane(two, 1);
  return x < y ? x : y;
}
inline float ReduceMax(F32x8 a) {
  const v128_t four = wasm_f32x4_pmax(a.high, a.low);
  const v128_t two = wasm_f32x4_pmax(UpperPair(four), four);
  const float x = wasm_f32x4_extract_lane(two, 0), y = wasm_f32x4_extract_lane(two, 1);
  return x > y ? x : y;
}

}  // namespace
}  // namespace micrort
