#pragma once
// Functions of two int16 tensors over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include "kernels/elementwise/binary_s16.h"
#include "kernels/elementwise/fixed_vectors.h"

namespace micrort {
namespace {

// The operand of the larger scale is halved, which needs no product.
template <typename F, bool kFirstIsLarger>
struct SumS16 {
  using I = typename F::Int;
  FixedScale<F> smaller_by, by;
  I sign;  // 0, or -1 for the difference

  explicit SumS16(const BinaryFixedOp& op)
      : smaller_by(kFirstIsLarger ? op.b_by : op.a_by),
        by(op.by),
        sign(I::Broadcast(op.kind == BinaryKind::kSub ? -1 : 0)) {}
  static I Halve(I x) { return ShiftLeft(x, kSumExtraBitsS16 - 1); }
  I Scale(I x) const { return smaller_by(ShiftLeft(x, kSumExtraBitsS16)); }
  I operator()(I a, I b) const {
    const I first = kFirstIsLarger ? Halve(a) : Scale(a), second = kFirstIsLarger ? Scale(b) : Halve(b);
    return by(first + ((second ^ sign) - sign));
  }
};

template <typename F>
struct ProductS16 {
  using I = typename F::Int;
  FixedScale<F> by;

  explicit ProductS16(const BinaryFixedOp& op) : by(op.by) {}
  I operator()(I a, I b) const { return by(a * b); }
};

template <typename F>
struct PReluS16 {
  using I = typename F::Int;
  FixedScale<F> positive_by, negative_by;

  explicit PReluS16(const BinaryFixedOp& op) : positive_by(op.a_by), negative_by(op.by) {}
  I operator()(I a, I b) const { return Select(Less(a, I::Zero()), negative_by(a * b), positive_by(a)); }
};

// 1 or 0.
template <typename F>
struct GreaterS16 {
  using I = typename F::Int;
  FixedScale<F> a_by, b_by;

  explicit GreaterS16(const BinaryFixedOp& op) : a_by(op.a_by), b_by(op.b_by) {}
  I operator()(I a, I b) const {
    const I first = a_by(ShiftLeft(a, kComparisonExtraBitsS16)),
            second = b_by(ShiftLeft(b, kComparisonExtraBitsS16));
    return Less(second, first) & I::Broadcast(1);
  }
};

template <typename F, typename Function, typename B, typename Y>
inline void MapInt16(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b,
                     size_t b_stride, void* y, size_t n) {
  using I = typename F::Int;
  if (n == 0) return;
  const Function function(op);
  const FixedOperand<F, int16_t> first(a, a_stride, 0);
  const FixedOperand<F, B> second(static_cast<const B*>(b), b_stride, op.b_zero);
  const I lo = I::Broadcast(op.lo), hi = I::Broadcast(op.hi);
  auto* out = static_cast<Y*>(y);
  size_t i = 0;
  for (; i + 8 <= n; i += 8) Max(Min(function(first.At(i), second.At(i)), hi), lo).Store(out + i);
  if (i == n) return;
  Max(Min(function(first.At(i, n - i), second.At(i, n - i)), hi), lo).StorePartial(out + i, n - i);
}

template <typename F>
inline void RunBinaryS16(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b,
                         size_t b_stride, void* y, size_t n) {
  switch (op.kind) {
    case BinaryKind::kMul:
      return MapInt16<F, ProductS16<F>, int16_t, int16_t>(op, a, a_stride, b, b_stride, y, n);
    case BinaryKind::kPRelu:
      return MapInt16<F, PReluS16<F>, int8_t, int16_t>(op, a, a_stride, b, b_stride, y, n);
    case BinaryKind::kGreater:
      return MapInt16<F, GreaterS16<F>, int16_t, uint8_t>(op, a, a_stride, b, b_stride, y, n);
    default:
      if (IsOneHalf(op.a_by))
        return MapInt16<F, SumS16<F, true>, int16_t, int16_t>(op, a, a_stride, b, b_stride, y, n);
      return MapInt16<F, SumS16<F, false>, int16_t, int16_t>(op, a, a_stride, b, b_stride, y, n);
  }
}

}  // namespace
}  // namespace micrort
