#pragma once
// Sums and products of int8 over a vector type F of eight lanes (kernels/base/simd/vec8.h).

#include "kernels/base/simd/vec8.h"
#include "kernels/elementwise/binary_s8.h"

namespace micrort {
namespace {

// An operand as real numbers; one element that meets all is read once.
template <typename F>
class RealOperand {
 public:
  using I = typename F::Int;

  RealOperand(const int8_t* data, size_t stride, QuantizationParams q)
      : data_(stride == 0 ? nullptr : data),
        zero_(I::Broadcast(q.zero_point)),
        scale_(F::Broadcast(q.scale)),
        all_(Real(I::Broadcast(*data))) {}
  F At(size_t i) const { return data_ == nullptr ? all_ : Real(I::Load(data_ + i)); }
  F At(size_t i, size_t n) const { return data_ == nullptr ? all_ : Real(I::LoadPartial(data_ + i, n)); }

 private:
  F Real(I q) const { return ToFloat(q - zero_) * scale_; }

  const int8_t* data_;
  I zero_;
  F scale_, all_;
};

// As kernels/elementwise/convert_f32_impl.h quantizes.
template <typename F>
class Quantizer {
 public:
  using I = typename F::Int;

  explicit Quantizer(QuantizationParams q)
      : scale_(F::Broadcast(q.scale)),
        low_(F::Broadcast(static_cast<float>(INT8_MIN - q.zero_point))),
        high_(F::Broadcast(static_cast<float>(INT8_MAX - q.zero_point))),
        zero_(I::Broadcast(q.zero_point)) {}
  I operator()(F v) const { return RoundToIntInRange(Min(Max(v / scale_, low_), high_)) + zero_; }

 private:
  F scale_, low_, high_;
  I zero_;
};

template <typename F, typename Function>
inline void MapInt8(const BinaryS8Op& op, const int8_t* a, size_t a_stride, const int8_t* b, size_t b_stride,
                    int8_t* y, size_t n, Function function) {
  if (n == 0) return;
  const RealOperand<F> first(a, a_stride, op.a), second(b, b_stride, op.b);
  const Quantizer<F> quantize(op.y);
  const F lo = F::Broadcast(op.lo), hi = F::Broadcast(op.hi);
  const bool clamps = op.clamps;
  const auto finish = [&](F v) { return quantize(clamps ? ClampNan(v, lo, hi) : v); };
  size_t i = 0;
  for (; i + 8 <= n; i += 8) finish(function(first.At(i), second.At(i))).Store(y + i);
  if (i < n) finish(function(first.At(i, n - i), second.At(i, n - i))).StorePartial(y + i, n - i);
}

template <typename F>
inline void RunBinaryS8(const BinaryS8Op& op, const int8_t* a, size_t a_stride, const int8_t* b,
                        size_t b_stride, int8_t* y, size_t n) {
  switch (op.kind) {
    case BinaryKind::kAdd:
      return MapInt8<F>(op, a, a_stride, b, b_stride, y, n, [](F u, F v) { return u + v; });
    case BinaryKind::kSub:
      return MapInt8<F>(op, a, a_stride, b, b_stride, y, n, [](F u, F v) { return u - v; });
    default:
      return MapInt8<F>(op, a, a_stride, b, b_stride, y, n, [](F u, F v) { return u * v; });
  }
}

}  // namespace
}  // namespace micrort
