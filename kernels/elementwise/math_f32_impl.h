#pragma once
// Elementary functions over a vector type F of floats (kernels/base/simd/vec8.h). Polynomials are
// minimax fits; no operation is fused, so the results are the same bits on every instruction set. Errors are
// below 3 units in the last place; NaN gives NaN, infinities their limits.

#include <cstdint>

#include "kernels/base/simd/vec8.h"

namespace micrort {

// c0 + c1 * x + c2 * x^2 + ...
template <typename F>
inline F Polynomial(F, float c) {
  return F::Broadcast(c);
}
template <typename F, typename... Rest>
inline F Polynomial(F x, float c, Rest... rest) {
  return Polynomial(x, rest...) * x + F::Broadcast(c);
}

// 2^n for -126 <= n <= 128; 2^128 is infinity.
template <typename I>
inline auto PowerOfTwo(I n) {
  return AsFloat(ShiftLeft(n + I::Broadcast(127), 23));
}

// e^x = (1 + p) * 2^n. x is first clamped to where the result leaves 0 and reaches infinity.
template <typename F>
struct ExpParts {
  F p;
  typename F::Int n;

  explicit ExpParts(F x) {
    // In this order of operands a NaN passes through.
    x = Min(F::Broadcast(89.0f), Max(F::Broadcast(-104.0f), x));
    const F rounded = RoundEven(x * F::Broadcast(0x1.715476p+0f));
    // ln 2 in two parts; the first has few enough bits that its product with n is exact.
    const F r = (x - rounded * F::Broadcast(0x1.63p-1f)) - rounded * F::Broadcast(-0x1.bd0106p-13f);
    p = r + r * r * Polynomial(r, 0x1p-1f, 0x1.55548ep-3f, 0x1.55545cp-5f, 0x1.123c7ap-7f, 0x1.6db638p-10f);
    n = RoundToIntInRange(rounded);
  }
  // x * 2^n in two steps, since 2^n itself may be subnormal.
  F Scale(F x) const {
    const typename F::Int half = ShiftRight(n, 1);
    return x * PowerOfTwo(half) * PowerOfTwo(n - half);
  }
};

template <typename F>
inline F Exp(F x) {
  const ExpParts<F> e(x);
  return e.Scale(F::Broadcast(1.0f) + e.p);
}

// e^x - 1, accurate around 0 too.
template <typename F>
inline F Expm1(F x) {
  const F one = F::Broadcast(1.0f);
  const ExpParts<F> e(x);
  const F power = e.Scale(one);
  const F large = e.Scale(one + e.p) - one;
  return Select(Less(one, x), large, power * e.p + (power - one));
}

template <typename F>
inline F Log(F x) {
  using I = typename F::Int;
  const F infinity = F::Broadcast(__builtin_inff());
  const I subnormal = Less(x, F::Broadcast(0x1p-126f));
  const I bits = AsInt(Select(subnormal, x * F::Broadcast(0x1p25f), x));
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2))
  const I exponent = ShiftRight(bits - I::Broadcast(0x3f3504f3), 23);
  const F m = AsFloat(bits - ShiftLeft(exponent, 23));
  const F e = ToFloat(exponent - (subnormal & I::Broadcast(25)));
  // With s = f / (2 + f): log(1 + f) = log(1 + s) - log(1 - s) = f - f^2/2 + s * (f^2/2 + R(s^2)).
  const F f = m - F::Broadcast(1.0f);
  const F s = f / (F::Broadcast(2.0f) + f);
  const F z = s * s;
  const F r = z * Polynomial(z, 0x1.555554p-1f, 0x1.999a7cp-2f, 0x1.24387ap-2f, 0x1.e30542p-3f);
  const F half_square = F::Broadcast(0.5f) * f * f;
  const F low = s * (half_square + r) + e * F::Broadcast(0x1.7f7d1cp-20f);
  const F finite = e * F::Broadcast(0x1.62e4p-1f) - ((half_square - low) - f);
  const F positive = Select(Less(x, infinity), finite, x);
  const F not_zero = Select(Less(x, F::Zero()), F::Broadcast(__builtin_nanf("")), positive);
  return Select(Equal(x, F::Zero()), -infinity, not_zero);
}

// log(1 + x) for x >= 0, accurate around 0 too: the logarithm of the rounded sum, corrected by what rounding
// lost.
template <typename F>
inline F Log1p(F x) {
  const F one = F::Broadcast(1.0f);
  const F sum = one + x;
  return Log(sum) + (x - (sum - one)) / sum;
}

template <typename F>
inline F Sigmoid(F x) {
  const F one = F::Broadcast(1.0f);
  const F e = Exp(-Abs(x));
  const F upper = one / (one + e);
  return Select(Less(x, F::Zero()), e * upper, upper);
}

// 1 + e^-x with a power of two in one step, for x * Sigmoid(x) with one division: what e^-x lacks below e^-87
// adds nothing to 1.
template <typename F>
inline F SiluDivisor(F x) {
  const F one = F::Broadcast(1.0f);
  const ExpParts<F> e(Max(F::Broadcast(-87.0f), -x));
  return one + (one + e.p) * PowerOfTwo(e.n);
}

template <typename F>
inline F Tanh(F x) {
  const F one = F::Broadcast(1.0f);
  const F magnitude = Abs(x);
  const F z = x * x;
  const F small =
      x +
      x * z * Polynomial(z, -0x1.55553p-2f, 0x1.110692p-3f, -0x1.b827fep-5f, 0x1.519c92p-6f, -0x1.73641ap-8f);
  const F large = one - F::Broadcast(2.0f) / (Exp(magnitude + magnitude) + one);
  return Select(Less(magnitude, F::Broadcast(0.625f)), small, CopySign(large, x));
}

template <typename F>
inline F Erf(F x) {
  const F one = F::Broadcast(1.0f);
  const F magnitude = Abs(x);
  const F z = x * x;
  const F small = x + x * Polynomial(z, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2cf8p-4f, -0x1.b7f90ep-6f,
                                     0x1.5405b2p-8f, -0x1.a3f7p-11f, 0x1.496a32p-14f);
  // log(1 - erf) is smooth; from 4 on, erf rounds to 1.
  const F a = Min(F::Broadcast(4.0f), magnitude);
  const F log_rest = Polynomial(a, -0x1.5cdadp-12f, -0x1.208b1ap+0f, -0x1.46b434p-1f, -0x1.a67e74p-4f,
                                0x1.6617f6p-6f, -0x1.82e87p-9f, 0x1.87b2f2p-13f);
  return Select(Less(magnitude, one), small, CopySign(one - Exp(log_rest), x));
}

}  // namespace micrort
