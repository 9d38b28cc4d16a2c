#pragma once
// The float unary micro-kernel over a vector type F of floats (kernels/base/simd/vec8.h).

#include <cstddef>

#include "kernels/elementwise/math_f32_impl.h"
#include "kernels/elementwise/unary_kind.h"

namespace micrort {

// max(low, min(high, x)); NaN stays NaN.
template <typename F>
inline F ClampNan(F x, F low, F high) {
  return Max(low, Min(high, x));
}
template <typename F>
inline F ClampUnit(F x) {
  return ClampNan(x, F::Zero(), F::Broadcast(1.0f));
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

// y[i] = f(x[i]) for whole vectors.
template <typename F, typename Function>
inline void MapVectors(const float* x, float* y, size_t n, Function f) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  for (size_t i = 0; i < n; i += kLanes) f(F::Load(x + i)).Store(y + i);
}

// y[i] = x[i] * Sigmoid(x[i]) for whole vectors, kAtATime of them before any division: what waits for a
// division leaves a CPU that reorders instructions little room to begin with the next vector.
template <typename F, size_t kAtATime>
inline void SiluVectors(const float* x, float* y, size_t n) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  size_t i = 0;
  for (; kAtATime > 1 && i + kAtATime * kLanes <= n; i += kAtATime * kLanes) {
    F divisors[kAtATime];
#pragma GCC unroll 8
    for (size_t j = 0; j < kAtATime; ++j) divisors[j] = SiluDivisor(F::Load(x + i + kLanes * j));
#pragma GCC unroll 8
    for (size_t j = 0; j < kAtATime; ++j) {
      const size_t at = i + kLanes * j;
      (F::Load(x + at) / divisors[j]).Store(y + at);
    }
  }
  MapVectors<F>(x + i, y + i, n - i, [](F v) { return v / SiluDivisor(v); });
}

template <typename F, size_t kSilus>
__attribute__((noinline)) void UnaryF32Vectors(const UnaryOp& op, const float* x, float* y, size_t n) {
  const F zero = F::Zero(), one = F::Broadcast(1.0f), a = F::Broadcast(op.a), b = F::Broadcast(op.b);
  switch (op.kind) {
    case UnaryKind::kClip:
      return MapVectors<F>(x, y, n, [=](F v) { return ClampNan(v, a, b); });
    case UnaryKind::kLeakyRelu:
      return MapVectors<F>(x, y, n, [=](F v) { return Select(Less(v, zero), a * v, v); });
    case UnaryKind::kSigmoid:
      return MapVectors<F>(x, y, n, [](F v) { return Sigmoid(v); });
    case UnaryKind::kTanh:
      return MapVectors<F>(x, y, n, [](F v) { return Tanh(v); });
    case UnaryKind::kHardSigmoid:
      return MapVectors<F>(x, y, n, [=](F v) { return ClampUnit(a * v + b); });
    case UnaryKind::kHardSwish:
      return MapVectors<F>(
          x, y, n, [](F v) { return v * ClampUnit(v * F::Broadcast(1.0f / 6.0f) + F::Broadcast(0.5f)); });
    case UnaryKind::kSilu:
      return SiluVectors<F, kSilus>(x, y, n);
    case UnaryKind::kAbs:
      return MapVectors<F>(x, y, n, [](F v) { return Abs(v); });
    case UnaryKind::kNeg:
      return MapVectors<F>(x, y, n, [](F v) { return -v; });
    case UnaryKind::kExp:
      return MapVectors<F>(x, y, n, [](F v) { return Exp(v); });
    case UnaryKind::kLog:
      return MapVectors<F>(x, y, n, [](F v) { return Log(v); });
    case UnaryKind::kSqrt:
      return MapVectors<F>(x, y, n, [](F v) { return Sqrt(v); });
    case UnaryKind::kReciprocal:
      return MapVectors<F>(x, y, n, [=](F v) { return one / v; });
    case UnaryKind::kFloor:
      return MapVectors<F>(x, y, n, [](F v) { return Floor(v); });
    case UnaryKind::kCeil:
      return MapVectors<F>(x, y, n, [](F v) { return Ceil(v); });
    case UnaryKind::kRound:
      return MapVectors<F>(x, y, n, [](F v) { return RoundEven(v); });
    case UnaryKind::kSign:
      return MapVectors<F>(x, y, n, [](F v) { return Sign(v); });
    case UnaryKind::kErf:
      return MapVectors<F>(x, y, n, [](F v) { return Erf(v); });
    case UnaryKind::kElu:
      return MapVectors<F>(x, y, n, [=](F v) { return Select(Less(v, zero), a * Expm1(v), v); });
    case UnaryKind::kSelu:
      return MapVectors<F>(x, y, n, [=](F v) { return b * Select(Less(v, zero), a * Expm1(v), v); });
    case UnaryKind::kSoftplus:
      return MapVectors<F>(x, y, n, [](F v) { return Softplus(v); });
    case UnaryKind::kSoftsign:
      return MapVectors<F>(x, y, n, [=](F v) { return v / (one + Abs(v)); });
    case UnaryKind::kThresholdedRelu:
      return MapVectors<F>(x, y, n, [=](F v) { return Select(LessEqual(v, a), zero, v); });
    case UnaryKind::kCelu:
      return MapVectors<F>(x, y, n, [=](F v) { return Max(zero, v) + Min(zero, a * Expm1(v / a)); });
    case UnaryKind::kShrink:
      return MapVectors<F>(x, y, n, [=](F v) { return Shrink(v, a, b); });
    case UnaryKind::kGelu:
      return MapVectors<F>(x, y, n, [](F v) { return GeluErf(v); });
    case UnaryKind::kGeluTanh:
      return MapVectors<F>(x, y, n, [](F v) { return GeluTanh(v); });
    case UnaryKind::kMish:
      return MapVectors<F>(x, y, n, [](F v) { return Mish(v); });
    default:
      return MapVectors<F>(x, y, n, [](F v) { return v; });
  }
}

// The contract of UnaryF32Fn. The tail goes through a padded vector, so that every function exists once.
// kSilus: how many vectors of kSilu to take at a time.
template <typename F, size_t kSilus = 1>
inline void UnaryF32(const UnaryOp& op, const float* x, float* y, size_t n) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  const size_t whole = n / kLanes * kLanes;
  UnaryF32Vectors<F, kSilus>(op, x, y, whole);
  if (whole == n) return;
  float tail[kLanes];
  F::LoadPartial(x + whole, n - whole).Store(tail);
  UnaryF32Vectors<F, kSilus>(op, tail, tail, kLanes);
  F::Load(tail).StorePartial(y + whole, n - whole);
}

}  // namespace micrort
