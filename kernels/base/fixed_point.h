#pragma once
// Numbers as integers times a power of two, and how TensorFlow Lite's reference kernels multiply by them:
// each product is rounded twice. Results are those of these kernels, bit for bit.

#include <cstdint>

namespace micrort {

// multiplier * 2^(shift - 31), with the multiplier in [2^30, 2^31), or 0.
struct FixedMultiplier {
  int32_t multiplier;
  int32_t shift;  // in [-31, 31]; to the left where it is positive
};

// The nearest; 0 below 2^-32, the largest above 2^31. `x` is finite and >= 0.
FixedMultiplier NearestFixedMultiplier(double x);

inline bool IsOneHalf(FixedMultiplier x) { return x.multiplier == 1 << 30 && x.shift == 0; }

// floor(a * b / 2^31 + 1/2), saturated.
inline int32_t DoublingHighMul(int32_t a, int32_t b) {
  if (a == INT32_MIN && b == INT32_MIN) return INT32_MAX;
  return static_cast<int32_t>((static_cast<int64_t>(a) * b + (int64_t{1} << 30)) >> 31);
}

// x / 2^n, halves away from zero; 0 <= n < 32. Both are of one type, so that no template for vectors fits
// better where int32_t is long.
inline int32_t ShiftRightRounded(int32_t x, int32_t n) {
  const int64_t half = (int64_t{1} << n) >> 1;
  const int64_t shifted = int64_t{x} + half - (x < 0 && n > 0 ? 1 : 0);
  return static_cast<int32_t>(shifted >> n);
}

// x * 2^n, wrapping; 0 <= n < 32.
inline int32_t ShiftLeftWrapped(int32_t x, int32_t n) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) << n);
}

// x * 2^n, saturated; 0 <= n < 32.
inline int32_t ShiftLeftSaturated(int32_t x, int n) {
  const int64_t shifted = static_cast<int64_t>(x) * (int64_t{1} << n);
  return static_cast<int32_t>(shifted > INT32_MAX ? INT32_MAX : shifted < INT32_MIN ? INT32_MIN : shifted);
}

inline int32_t Multiply(int32_t x, FixedMultiplier by) {
  const int32_t left = by.shift > 0 ? by.shift : 0;
  return ShiftRightRounded(DoublingHighMul(ShiftLeftWrapped(x, left), by.multiplier), left - by.shift);
}

}  // namespace micrort
