#pragma once
// Fixed-point sums and products over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include "kernels/elementwise/binary_fixed.h"
#include "kernels/elementwise/fixed_vectors.h"

namespace micrort {
namespace {

template <typename F>
struct FixedSum {
  using I = typename F::Int;
  FixedScale<F> a_by, b_by, by;
  I sign;  // 0, or -1 for the difference

  explicit FixedSum(const BinaryFixedOp& op)
      : a_by(op.a_by), b_by(op.b_by), by(op.by), sign(I::Broadcast(op.kind == BinaryKind::kSub ? -1 : 0)) {}
  I operator()(I a, I b) const {
    constexpr int kExtraBits = 20;
    const I second = b_by(ShiftLeft(b, kExtraBits));
    return by(a_by(ShiftLeft(a, kExtraBits)) + ((second ^ sign) - sign));
  }
};

template <typename F>
struct FixedProduct {
  using I = typename F::Int;
  FixedScale<F> by;

  explicit FixedProduct(const BinaryFixedOp& op) : by(op.by) {}
  I operator()(I a, I b) const { return by(a * b); }
};

template <typename F, typename Function>
inline void RunFixed(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                     size_t b_stride, int8_t* y, size_t n) {
  using I = typename F::Int;
  if (n == 0) return;
  const Function function(op);
  const FixedOperand<F, int8_t> first(a, a_stride, op.a_zero), second(b, b_stride, op.b_zero);
  const I zero = I::Broadcast(op.y_zero), lo = I::Broadcast(op.lo - op.y_zero),
          hi = I::Broadcast(op.hi - op.y_zero);
  const auto finish = [&](I sums) { return Max(Min(sums, hi), lo) + zero; };
  size_t i = 0;
  for (; i + 8 <= n; i += 8) finish(function(first.At(i), second.At(i))).Store(y + i);
  if (i < n) finish(function(first.At(i, n - i), second.At(i, n - i))).StorePartial(y + i, n - i);
}

template <typename F>
inline void RunBinaryFixed(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                           size_t b_stride, int8_t* y, size_t n) {
  if (op.kind == BinaryKind::kMul) return RunFixed<F, FixedProduct<F>>(op, a, a_stride, b, b_stride, y, n);
  RunFixed<F, FixedSum<F>>(op, a, a_stride, b, b_stride, y, n);
}

}  // namespace
}  // namespace micrort
