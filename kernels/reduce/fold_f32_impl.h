#pragma once
// Folding over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include <cstddef>

#include "kernels/elementwise/math_f32_impl.h"
#include "kernels/reduce/fold_f32.h"

namespace micrort {

// Calls body(f, fill) with f(acc, x, shift) → acc and a `fill` for x that leaves acc unchanged.
template <typename F, typename Body>
inline void WithFold(FoldKind kind, Body body) {
  switch (kind) {
    case FoldKind::kSum:
      return body([](F acc, F x, F) { return acc + x; }, 0.0f);
    case FoldKind::kSumAbs:
      return body([](F acc, F x, F) { return acc + Abs(x); }, 0.0f);
    case FoldKind::kSumSquare:
      return body([](F acc, F x, F) { return acc + x * x; }, 0.0f);
    case FoldKind::kSumExp:
      return body([](F acc, F x, F shift) { return acc + Exp(x - shift); }, -__builtin_inff());
    case FoldKind::kMax:
      return body([](F acc, F x, F) { return MaxNan(x, acc); }, -__builtin_inff());
    case FoldKind::kMin:
      return body([](F acc, F x, F) { return MinNan(x, acc); }, __builtin_inff());
    case FoldKind::kProd:
      return body([](F acc, F x, F) { return acc * x; }, 1.0f);
  }
}

template <typename F>
inline void FoldRun(FoldKind kind, float shift, const float* x, size_t n, float* lanes) {
  WithFold<F>(kind, [=](auto f, float fill) {
    const F shifts = F::Broadcast(shift);
    F acc = F::Load(lanes);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) acc = f(acc, F::Load(x + i), shifts);
    if (i < n) {
      float tail[8];
      for (size_t k = 0; k < 8; ++k) tail[k] = i + k < n ? x[i + k] : fill;
      acc = f(acc, F::Load(tail), shifts);
    }
    acc.Store(lanes);
  });
}

// kVectors vectors of columns at once, to hide the latency of additions.
template <typename F, size_t kVectors, typename Function>
inline void FoldColumnVectors(const float* shift, const float* x, size_t rows, size_t stride, float* acc,
                              Function f) {
  F sums[kVectors], shifts[kVectors];
  for (size_t v = 0; v < kVectors; ++v) {
    sums[v] = F::Load(acc + 8 * v);
    shifts[v] = shift == nullptr ? F::Zero() : F::Load(shift + 8 * v);
  }
  for (size_t r = 0; r < rows; ++r, x += stride) {
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) sums[v] = f(sums[v], F::Load(x + 8 * v), shifts[v]);
  }
  for (size_t v = 0; v < kVectors; ++v) sums[v].Store(acc + 8 * v);
}

template <typename F, typename Function>
inline void FoldColumnTail(const float* shift, const float* x, size_t rows, size_t stride, size_t columns,
                           float* acc, Function f) {
  const F shifts = shift == nullptr ? F::Zero() : F::LoadPartial(shift, columns);
  F sums = F::LoadPartial(acc, columns);
  for (size_t r = 0; r < rows; ++r) sums = f(sums, F::LoadPartial(x + r * stride, columns), shifts);
  sums.StorePartial(acc, columns);
}

template <typename F>
inline void FoldColumns(FoldKind kind, const float* shift, const float* x, size_t rows, size_t stride,
                        size_t columns, float* acc) {
  WithFold<F>(kind, [=](auto f, float) {
    const auto shift_at = [=](size_t c) { return shift == nullptr ? nullptr : shift + c; };
    size_t c = 0;
    for (; c + 32 <= columns; c += 32) FoldColumnVectors<F, 4>(shift_at(c), x + c, rows, stride, acc + c, f);
    for (; c + 8 <= columns; c += 8) FoldColumnVectors<F, 1>(shift_at(c), x + c, rows, stride, acc + c, f);
    if (c < columns) FoldColumnTail<F>(shift_at(c), x + c, rows, stride, columns - c, acc + c, f);
  });
}

}  // namespace micrort
