#pragma once
// The float unary micro-kernel over a vector type F of floats (kernels/base/simd/vec8.h).

#include <cstddef>

#include "kernels/elementwise/element_functions_impl.h"

namespace micrort {

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
  const F a = F::Broadcast(op.a), b = F::Broadcast(op.b);
#define MICRORT_MAP_UNARY(kind) \
  case UnaryKind::kind:         \
    return MapVectors<F>(x, y, n, [=](F v) { return UnaryOf<UnaryKind::kind>(v, a, b); });
  switch (op.kind) {
    MICRORT_MAP_UNARY(kClip)
    MICRORT_MAP_UNARY(kLeakyRelu)
    MICRORT_MAP_UNARY(kSigmoid)
    MICRORT_MAP_UNARY(kTanh)
    MICRORT_MAP_UNARY(kHardSigmoid)
    MICRORT_MAP_UNARY(kHardSwish)
    MICRORT_MAP_UNARY(kAbs)
    MICRORT_MAP_UNARY(kNeg)
    MICRORT_MAP_UNARY(kExp)
    MICRORT_MAP_UNARY(kLog)
    MICRORT_MAP_UNARY(kSqrt)
    MICRORT_MAP_UNARY(kReciprocal)
    MICRORT_MAP_UNARY(kFloor)
    MICRORT_MAP_UNARY(kCeil)
    MICRORT_MAP_UNARY(kRound)
    MICRORT_MAP_UNARY(kSign)
    MICRORT_MAP_UNARY(kErf)
    MICRORT_MAP_UNARY(kElu)
    MICRORT_MAP_UNARY(kSelu)
    MICRORT_MAP_UNARY(kSoftplus)
    MICRORT_MAP_UNARY(kSoftsign)
    MICRORT_MAP_UNARY(kThresholdedRelu)
    MICRORT_MAP_UNARY(kCelu)
    MICRORT_MAP_UNARY(kShrink)
    MICRORT_MAP_UNARY(kGelu)
    MICRORT_MAP_UNARY(kGeluTanh)
    MICRORT_MAP_UNARY(kMish)
    case UnaryKind::kSilu:
      return SiluVectors<F, kSilus>(x, y, n);
    default:
      return MapVectors<F>(x, y, n, [](F v) { return v; });
  }
#undef MICRORT_MAP_UNARY
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
