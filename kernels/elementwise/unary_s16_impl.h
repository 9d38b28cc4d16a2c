#pragma once
// Scaled functions of int16 and int8 over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include "kernels/elementwise/fixed_vectors.h"
#include "kernels/elementwise/unary_s16.h"

namespace micrort {
namespace {

template <typename F>
struct ScaledS16 {
  using I = typename F::Int;
  FixedScale<F> positive_by, negative_by;
  I sign;  // of negative numbers: -1 where the function is of magnitudes
  I zero, lo, hi;

  explicit ScaledS16(const UnaryS16Op& op)
      : positive_by(op.x_by),
        negative_by(op.kind == UnaryKind::kLeakyRelu ? op.negative_by : op.x_by),
        sign(I::Broadcast(op.kind == UnaryKind::kAbs ? -1 : 0)),
        zero(I::Broadcast(op.y_zero)),
        lo(I::Broadcast(op.lo - op.y_zero)),
        hi(I::Broadcast(op.hi - op.y_zero)) {}
  I Finish(I scaled) const { return Max(Min(scaled, hi), lo) + zero; }
  // kLeakyRelu needs both products; the others one.
  I Leaky(I x) const { return Finish(Select(Less(x, I::Zero()), negative_by(x), positive_by(x))); }
  I Plain(I x) const {
    const I negative = ShiftRight(x, 31) & sign;
    return Finish(positive_by((x ^ negative) - negative));
  }
};

template <typename F, typename X, typename Y>
inline void MapScaled(const UnaryS16Op& op, const void* x, void* y, size_t n) {
  if (n == 0) return;
  const ScaledS16<F> scaled(op);
  const FixedOperand<F, X> in(static_cast<const X*>(x), 1, op.x_zero);
  auto* out = static_cast<Y*>(y);
  const auto map = [&](auto function) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) function(in.At(i)).Store(out + i);
    if (i < n) function(in.At(i, n - i)).StorePartial(out + i, n - i);
  };
  using I = typename F::Int;
  if (op.kind == UnaryKind::kLeakyRelu) return map([&](I v) { return scaled.Leaky(v); });
  map([&](I v) { return scaled.Plain(v); });
}

template <typename F>
inline void RunUnaryS16(const UnaryS16Op& op, const void* x, void* y, size_t n) {
  if (op.x == DType::kInt8) return MapScaled<F, int8_t, int16_t>(op, x, y, n);
  if (op.y == DType::kInt8) return MapScaled<F, int16_t, int8_t>(op, x, y, n);
  MapScaled<F, int16_t, int16_t>(op, x, y, n);
}

}  // namespace
}  // namespace micrort
