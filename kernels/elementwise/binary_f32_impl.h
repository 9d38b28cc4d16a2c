#pragma once
// The float binary micro-kernel over a vector type F of floats (kernels/base/simd/vec8.h).

#include <cstddef>
#include <cstdint>

#include "kernels/elementwise/element_functions_impl.h"

namespace micrort {

struct BinaryF32Operands {
  const float* a;
  size_t a_stride;
  const float* b;
  size_t b_stride;
};

template <typename F>
constexpr size_t kLanesOf = sizeof(F) / sizeof(float);

// Calls f(i, a, b) for every vector. The operand that stands still is loaded once.
template <typename F, typename Function>
inline void ForEachVectorPair(const BinaryF32Operands& x, size_t n, Function f) {
  constexpr size_t kLanes = kLanesOf<F>;
  if (x.a_stride == 0) {
    const F a = F::Broadcast(*x.a);
    for (size_t i = 0; i < n; i += kLanes) f(i, a, F::Load(x.b + i));
  } else if (x.b_stride == 0) {
    const F b = F::Broadcast(*x.b);
    for (size_t i = 0; i < n; i += kLanes) f(i, F::Load(x.a + i), b);
  } else {
    for (size_t i = 0; i < n; i += kLanes) f(i, F::Load(x.a + i), F::Load(x.b + i));
  }
}

template <typename F, typename Function>
inline void MapPairs(const BinaryF32Operands& x, void* y, size_t n, Function f) {
  auto* out = static_cast<float*>(y);
  ForEachVectorPair<F>(x, n, [=](size_t i, F a, F b) { f(a, b).Store(out + i); });
}

template <typename F, typename Function>
inline void ComparePairs(const BinaryF32Operands& x, void* y, size_t n, Function f) {
  auto* out = static_cast<uint8_t*>(y);
  const auto one = F::Int::Broadcast(1);
  ForEachVectorPair<F>(x, n, [=](size_t i, F a, F b) { (f(a, b) & one).Store(out + i); });
}

// n is a multiple of the lanes.
template <typename F>
__attribute__((noinline)) void BinaryF32Vectors(BinaryKind kind, const BinaryF32Operands& x, void* y,
                                                size_t n) {
  switch (kind) {
    case BinaryKind::kAdd:
      return MapPairs<F>(x, y, n, [](F a, F b) { return BinaryOf<BinaryKind::kAdd>(a, b); });
    case BinaryKind::kSub:
      return MapPairs<F>(x, y, n, [](F a, F b) { return BinaryOf<BinaryKind::kSub>(a, b); });
    case BinaryKind::kMul:
      return MapPairs<F>(x, y, n, [](F a, F b) { return BinaryOf<BinaryKind::kMul>(a, b); });
    case BinaryKind::kDiv:
      return MapPairs<F>(x, y, n, [](F a, F b) { return BinaryOf<BinaryKind::kDiv>(a, b); });
    case BinaryKind::kMax:
      return MapPairs<F>(x, y, n, [](F a, F b) { return BinaryOf<BinaryKind::kMax>(a, b); });
    case BinaryKind::kMin:
      return MapPairs<F>(x, y, n, [](F a, F b) { return BinaryOf<BinaryKind::kMin>(a, b); });
    case BinaryKind::kPRelu:
      return MapPairs<F>(x, y, n, [](F a, F b) { return BinaryOf<BinaryKind::kPRelu>(a, b); });
    case BinaryKind::kEqual:
      return ComparePairs<F>(x, y, n, [](F a, F b) { return Equal(a, b); });
    case BinaryKind::kLess:
      return ComparePairs<F>(x, y, n, [](F a, F b) { return Less(a, b); });
    case BinaryKind::kLessOrEqual:
      return ComparePairs<F>(x, y, n, [](F a, F b) { return LessEqual(a, b); });
    case BinaryKind::kGreater:
      return ComparePairs<F>(x, y, n, [](F a, F b) { return Less(b, a); });
    case BinaryKind::kGreaterOrEqual:
      return ComparePairs<F>(x, y, n, [](F a, F b) { return LessEqual(b, a); });
    default:
      return;
  }
}

// A vector of an operand whose last `rest` elements, from `first` on, remain.
template <typename F>
inline void PadOperand(const float* x, size_t stride, size_t first, size_t rest, float* padded) {
  (stride == 0 ? F::Broadcast(*x) : F::LoadPartial(x + first, rest)).Store(padded);
}

// The contract of BinaryF32Fn. The tail goes through padded vectors, so that every function exists once.
template <typename F>
inline void BinaryF32(BinaryKind kind, const BinaryF32Operands& x, void* y, size_t n) {
  constexpr size_t kLanes = kLanesOf<F>;
  const size_t whole = n / kLanes * kLanes;
  BinaryF32Vectors<F>(kind, x, y, whole);
  if (whole == n) return;
  float a[kLanes], b[kLanes], tail[kLanes];
  PadOperand<F>(x.a, x.a_stride, whole, n - whole, a);
  PadOperand<F>(x.b, x.b_stride, whole, n - whole, b);
  BinaryF32Vectors<F>(kind, {a, 1, b, 1}, tail, kLanes);
  const size_t bytes = IsComparison(kind) ? 1 : sizeof(float);
  __builtin_memcpy(static_cast<uint8_t*>(y) + whole * bytes, tail, (n - whole) * bytes);
}

}  // namespace micrort
