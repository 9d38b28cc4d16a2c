#pragma once
// Functions of elements over a vector type F of floats (kernels/base/simd/vec8.h), by their kind: what
// micro-kernels of single functions, of fused ones, and ahead-of-time C++ compute.

#include "kernels/elementwise/binary_kind.h"
#include "kernels/elementwise/math_f32_impl.h"
#include "kernels/elementwise/unary_kind.h"

namespace micrort {

template <typename F>
inline F ClampUnit(F x) {
  return ClampNan(x, F::Zero(), F::Broadcast(1.0f));
}

// -|x|, by its sign alone.
template <typename F>
inline F MinusAbs(F x) {
  return AsFloat(AsInt(x) | F::Int::Broadcast(INT32_MIN));
}

template <typename F>
inline F Sign(F x) {
  const F one = F::Broadcast(1.0f);
  return Select(Less(F::Zero(), x), one, Select(Less(x, F::Zero()), -one, x));
}

template <typename F>
inline F Softplus(F x) {
  return Max(F::Zero(), x) + Log1p(Exp(-Abs(x)));
}

// x * Phi(x) = max(x, 0) - |x| * Phi(-|x|), where log Phi(-|x|) is smooth; from 5.7 on the second term is
// less than 4e-8 and left out.
template <typename F>
inline F GeluErf(F x) {
  const F end = F::Broadcast(5.7f), zero = F::Zero();
  const F magnitude = Abs(x), a = Min(end, magnitude);
  const ExpParts<F> e(Polynomial(a, -0x1.62e3dap-1f, -0x1.988af6p-1f, -0x1.45ac2ap-2f, -0x1.2eddaap-5f,
                                 0x1.6d19f2p-8f, -0x1.131b52p-11f, 0x1.71ab1ap-16f));
  const F phi = (F::Broadcast(1.0f) + e.p) * PowerOfTwo(e.n);
  return Max(zero, x) - Select(Less(magnitude, end), a * phi, zero);
}

template <typename F>
inline F GeluTanh(F x) {
  const F cubic = x + F::Broadcast(0.044715f) * x * x * x;
  return F::Broadcast(0.5f) * x * (F::Broadcast(1.0f) + Tanh(F::Broadcast(0x1.988454p-1f) * cubic));
}

// With e = exp(x): tanh(log(1 + e)) = e * (e + 2) / (e * (e + 2) + 2), which rounds to 1 from 20 on.
template <typename F>
inline F Mish(F x) {
  const F two = F::Broadcast(2.0f);
  const F e = Exp(Min(F::Broadcast(20.0f), x));
  const F n = e * (e + two);
  return x * (n / (n + two));
}

template <typename F>
inline F Shrink(F x, F bias, F lambda) {
  const F above = Select(LessEqual(x, lambda), F::Zero(), x - bias);
  return Select(Less(x, -lambda), x + bias, above);
}

// For a kind that HasVectorUnaryF32() names; `a` and `b` are those of UnaryOp.
template <UnaryKind kind, typename F>
inline F UnaryOf(F v, F a, F b) {
  const F zero = F::Zero(), one = F::Broadcast(1.0f);
  if constexpr (kind == UnaryKind::kClip) {
    return ClampNan(v, a, b);
  } else if constexpr (kind == UnaryKind::kLeakyRelu) {
    return Select(Less(v, zero), a * v, v);
  } else if constexpr (kind == UnaryKind::kSigmoid) {
    return Sigmoid(v);
  } else if constexpr (kind == UnaryKind::kTanh) {
    return Tanh(v);
  } else if constexpr (kind == UnaryKind::kHardSigmoid) {
    return ClampUnit(a * v + b);
  } else if constexpr (kind == UnaryKind::kHardSwish) {
    return v * ClampUnit(v * F::Broadcast(1.0f / 6.0f) + F::Broadcast(0.5f));
  } else if constexpr (kind == UnaryKind::kSilu) {
    return v / SiluDivisor(v);
  } else if constexpr (kind == UnaryKind::kAbs) {
    return Abs(v);
  } else if constexpr (kind == UnaryKind::kNeg) {
    return -v;
  } else if constexpr (kind == UnaryKind::kExp) {
    return Exp(v);
  } else if constexpr (kind == UnaryKind::kLog) {
    return Log(v);
  } else if constexpr (kind == UnaryKind::kSqrt) {
    return Sqrt(v);
  } else if constexpr (kind == UnaryKind::kReciprocal) {
    return one / v;
  } else if constexpr (kind == UnaryKind::kFloor) {
    return Floor(v);
  } else if constexpr (kind == UnaryKind::kCeil) {
    return Ceil(v);
  } else if constexpr (kind == UnaryKind::kRound) {
    return RoundEven(v);
  } else if constexpr (kind == UnaryKind::kSign) {
    return Sign(v);
  } else if constexpr (kind == UnaryKind::kErf) {
    return Erf(v);
  } else if constexpr (kind == UnaryKind::kElu) {
    return Select(Less(v, zero), a * Expm1(v), v);
  } else if constexpr (kind == UnaryKind::kSelu) {
    return b * Select(Less(v, zero), a * Expm1(v), v);
  } else if constexpr (kind == UnaryKind::kSoftplus) {
    return Softplus(v);
  } else if constexpr (kind == UnaryKind::kSoftsign) {
    return v / (one + Abs(v));
  } else if constexpr (kind == UnaryKind::kThresholdedRelu) {
    return Select(LessEqual(v, a), zero, v);
  } else if constexpr (kind == UnaryKind::kCelu) {
    return Max(zero, v) + Min(zero, a * Expm1(v / a));
  } else if constexpr (kind == UnaryKind::kShrink) {
    return Shrink(v, a, b);
  } else if constexpr (kind == UnaryKind::kGelu) {
    return GeluErf(v);
  } else if constexpr (kind == UnaryKind::kGeluTanh) {
    return GeluTanh(v);
  } else if constexpr (kind == UnaryKind::kMish) {
    return Mish(v);
  } else {
    static_assert(kind == UnaryKind::kIdentity);
    return v;
  }
}

// For a kind that HasVectorBinaryF32() names and that gives floats.
template <BinaryKind kind, typename F>
inline F BinaryOf(F a, F b) {
  if constexpr (kind == BinaryKind::kAdd) {
    return a + b;
  } else if constexpr (kind == BinaryKind::kSub) {
    return a - b;
  } else if constexpr (kind == BinaryKind::kMul) {
    return a * b;
  } else if constexpr (kind == BinaryKind::kDiv) {
    return a / b;
  } else if constexpr (kind == BinaryKind::kMax) {
    return MaxNan(a, b);
  } else if constexpr (kind == BinaryKind::kMin) {
    return MinNan(a, b);
  } else {
    static_assert(kind == BinaryKind::kPRelu);
    return Select(Less(a, F::Zero()), a * b, a);
  }
}

}  // namespace micrort
