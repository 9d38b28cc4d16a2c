#include "kernels/elementwise/binary_s16.h"

#include <algorithm>

#include "kernels/elementwise/fixed_range.h"

namespace micrort {
namespace {

constexpr int kExtraBits = 15, kComparedBits = 8;

int32_t Sum(const BinaryFixedOp& op, int32_t a, int32_t b) {
  const int32_t first = Multiply(ShiftLeftWrapped(a, kExtraBits), op.a_by),
                second = Multiply(ShiftLeftWrapped(b, kExtraBits), op.b_by);
  return Multiply(op.kind == BinaryKind::kSub ? first - second : first + second, op.by);
}

int32_t Product(const BinaryFixedOp& op, int32_t a, int32_t b) { return Multiply(a * b, op.by); }

int32_t PRelu(const BinaryFixedOp& op, int32_t a, int32_t b) {
  return a >= 0 ? Multiply(a, op.a_by) : Multiply(a * (b - op.b_zero), op.by);
}

bool IsGreater(const BinaryFixedOp& op, int32_t a, int32_t b) {
  return Multiply(ShiftLeftWrapped(a, kComparedBits), op.a_by) >
         Multiply(ShiftLeftWrapped(b, kComparedBits), op.b_by);
}

template <int32_t (*kFunction)(const BinaryFixedOp&, int32_t, int32_t), typename B>
void Run(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b, size_t b_stride, void* y,
         size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const int32_t value = kFunction(op, a[i * a_stride], static_cast<const B*>(b)[i * b_stride]);
    static_cast<int16_t*>(y)[i] = static_cast<int16_t>(std::clamp(value, op.lo, op.hi));
  }
}

void RunComparison(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const int16_t* b,
                   size_t b_stride, uint8_t* y, size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] = IsGreater(op, a[i * a_stride], b[i * b_stride]) ? 1 : 0;
}

bool HasKind(BinaryKind kind) {
  return kind == BinaryKind::kAdd || kind == BinaryKind::kSub || kind == BinaryKind::kMul ||
         kind == BinaryKind::kPRelu || kind == BinaryKind::kGreater;
}

}  // namespace

bool PlanBinaryS16(BinaryKind kind, const QuantizationParams& a, const QuantizationParams& b,
                   const QuantizationParams& y, const Clamp& clamp, BinaryFixedOp* op) {
  const bool is_prelu = kind == BinaryKind::kPRelu;
  if (a.zero_point != 0 || (b.zero_point != 0 && !is_prelu) || y.zero_point != 0 || !HasKind(kind))
    return false;
  *op = {kind,
         0,
         b.zero_point,
         0,
         {},
         {},
         {},
         IntegerBound<int16_t>(clamp.lo, y),
         IntegerBound<int16_t>(clamp.hi, y)};
  op->hi = std::max(op->lo, op->hi);
  const auto a_scale = static_cast<double>(a.scale), b_scale = static_cast<double>(b.scale),
             y_scale = static_cast<double>(y.scale);
  if (kind == BinaryKind::kGreater) {
    op->a_by = NearestFixedMultiplier(a_scale);
    op->b_by = NearestFixedMultiplier(b_scale);
    return a.scale < 1 && b.scale < 1;
  }
  if (kind == BinaryKind::kMul || is_prelu) {
    op->by = NearestFixedMultiplier(a_scale * b_scale / y_scale);
    if (is_prelu) op->a_by = NearestFixedMultiplier(a_scale / y_scale);
    return true;
  }
  const double unit = 2 * std::max(a_scale, b_scale);
  op->a_by = NearestFixedMultiplier(a_scale / unit);
  op->b_by = NearestFixedMultiplier(b_scale / unit);
  op->by = NearestFixedMultiplier(unit / ((1 << kExtraBits) * y_scale));
  return true;
}

void BinaryS16(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b, size_t b_stride,
               void* y, size_t n) {
  if (op.kind == BinaryKind::kGreater) {
    return RunComparison(op, a, a_stride, static_cast<const int16_t*>(b), b_stride, static_cast<uint8_t*>(y),
                         n);
  }
  const auto run = op.kind == BinaryKind::kMul     ? Run<Product, int16_t>
                   : op.kind == BinaryKind::kPRelu ? Run<PRelu, int8_t>
                                                   : Run<Sum, int16_t>;
  run(op, a, a_stride, b, b_stride, y, n);
}

}  // namespace micrort
