#pragma once
// Vectors of eight logical lanes, the one SIMD abstraction of vector-generic micro-kernels.
//
// Five headers define the same two types, `F32x8` and `S32x8`, and a file includes exactly one of them:
//   kernels/base/simd/vec8_scalar.h   arrays
//   x86/sse41/vec8_sse41.h            two registers
//   x86/avx2/vec8_avx2.h              one register
//   arm/neon/vec8_neon.h              two registers; AArch64 and ARMv7
//   wasm/simd128/vec8_simd128.h       two vectors of WebAssembly
// The types are in an unnamed namespace, so whatever is instantiated over them has internal linkage and
// sealed files stay sealed. Micro-kernels are templates over `F` = F32x8 (`typename F::Int` is its S32x8) in
// kernels/<family>/<name>_impl.h. A template that names neither type would not be internal: keep those out of
// _impl.h headers.
//
// Every operation gives the same bits in all of them, except Fma and, on ARMv7, subnormal numbers (flushed to
// zero) and the payloads of NaNs.
//
// F32x8 (`F`)
//   F::Zero(), F::Broadcast(x), F::Load(p), F::LoadPartial(p, n), v.Store(p), v.StorePartial(p, n)
//   F::LoadHalf(p), v.StoreHalf(p)   8 binary16 values, see kernels/base/half.h
//   a + b, a - b, a * b, a / b, -a
//   Min(a, b), Max(a, b)     a < b ? a : b and a > b ? a : b: b where one is NaN or both are zero
//   Fma(a, b, c)             a * b + c, fused or not: only for float GEMM and convolution
//   Sqrt, Abs, RoundEven (half to even), Floor, Ceil, Trunc: as IEEE 754, the sign of zeros included
//   Less, LessEqual, Equal, NotEqual → S32x8 masks; NaN compares as in C
//   RoundToInt(a)            half to even; out of range: INT32_MIN or INT32_MAX; NaN: 0
//   RoundToIntInRange(a)     the same, faster, for -2^31 <= a < 2^31 only; unspecified elsewhere
//   AsInt(a)                 the bits
//   ReduceAdd(a)             ((0+4)+(2+6)) + ((1+5)+(3+7)); ReduceMin and ReduceMax use the same tree
//   ReduceAdd(a, b, c, d, y) y[0] = ReduceAdd(a) to y[3] = ReduceAdd(d), in fewer instructions
// S32x8 (`F::Int`); arithmetic wraps
//   Zero, Broadcast, Load, LoadPartial, Store, StorePartial. Pointers may be int32_t*, int16_t*, int8_t* or
//   uint8_t*: loads of narrower integers widen, stores to them saturate
//   a + b, a - b, a * b, a & b, a | b, a ^ b, ~a, Min, Max
//   ShiftLeft(a, n), ShiftRight(a, n) (arithmetic), 0 <= n < 32; n is an int, or one for each lane
//   Shift: how one number of bits for all lanes is best given: int, or S32x8 where that is as fast
//   DoublingHighMul(a, b)    floor(a * b / 2^31 + 1/2), b > -2^31
//   Less, Equal → masks
//   ToFloat(a) (rounds to nearest even), AsFloat(a) (the bits)
// A mask is an S32x8 whose lanes are 0 or -1.
//   Select(mask, a, b)       mask ? a : b, for both types
//   AnyTrue(mask)
// LoadPartial and StorePartial touch the first n elements only, 0 <= n <= 8; lanes that are not loaded are 0.

#include <cstddef>
#include <cstdint>

namespace micrort {

// The sign of `sign` on the magnitude of `magnitude`.
template <typename F>
inline F CopySign(F magnitude, F sign) {
  using I = typename F::Int;
  const I bits = (AsInt(magnitude) & I::Broadcast(0x7fffffff)) | (AsInt(sign) & I::Broadcast(INT32_MIN));
  return AsFloat(bits);
}

// x / 2^n, halves away from zero, for x + 2^n / 2 that does not overflow (else it wraps); 0 <= n < 32 a lane.
template <typename I>
inline I ShiftRightRounded(I x, I n) {
  const I half = ShiftRight(ShiftLeft(I::Broadcast(1), n), 1) & I::Broadcast(INT32_MAX);
  return ShiftRight(x + (ShiftRight(x, 31) & Less(I::Zero(), n)) + half, n);
}

// The same by one number of bits for all lanes.
template <typename I>
inline I ShiftRightRounded(I x, int n) {
  if (n == 0) return x;
  return ShiftRight(x + ShiftRight(x, 31) + I::Broadcast(1 << (n - 1)), n);
}

// x * multiplier * 2^(left - right - 31), rounded twice (kernels/base/fixed_point.h); left or right is 0.
template <typename I, typename Shift>
inline I FixedMultiply(I x, I multiplier, Shift left, Shift right) {
  return ShiftRightRounded(DoublingHighMul(ShiftLeft(x, left), multiplier), right);
}

// As Min and Max, but NaN where either operand is NaN.
template <typename F>
inline F MinNan(F a, F b) {
  return Select(NotEqual(a, a), a, Min(a, b));
}
template <typename F>
inline F MaxNan(F a, F b) {
  return Select(NotEqual(a, a), a, Max(a, b));
}

// max(low, min(high, x)); NaN stays NaN.
template <typename F>
inline F ClampNan(F x, F low, F high) {
  return Max(low, Min(high, x));
}

// Rounding for instruction sets without rounding instructions. From 2^23 on, floats are integers; below it,
// adding and subtracting 2^23 leaves the nearest integer.
template <typename F>
inline F EmulatedRoundEven(F x) {
  const F big = F::Broadcast(0x1p23f);
  const F magnitude = Abs(x);
  const F rounded = (magnitude + big) - big;
  return Select(Less(magnitude, big), CopySign(rounded, x), x);
}
template <typename F>
inline F EmulatedFloor(F x) {
  const F rounded = EmulatedRoundEven(x);
  const F one_where_above = Select(Less(x, rounded), F::Broadcast(1.0f), F::Zero());
  return CopySign(rounded - one_where_above, x);
}
template <typename F>
inline F EmulatedCeil(F x) {
  return -EmulatedFloor(-x);
}
template <typename F>
inline F EmulatedTrunc(F x) {
  return CopySign(EmulatedFloor(Abs(x)), x);
}

}  // namespace micrort
