// Plain loops: no array of lanes lies on the stacks of microcontrollers.

#include <algorithm>

#include "kernels/elementwise/binary_s16.h"

namespace micrort {
namespace {

int32_t Sum(const BinaryFixedOp& op, int32_t a, int32_t b) {
  const int32_t first = Multiply(ShiftLeftWrapped(a, kSumExtraBitsS16), op.a_by),
                second = Multiply(ShiftLeftWrapped(b, kSumExtraBitsS16), op.b_by);
  return Multiply(op.kind == BinaryKind::kSub ? first - second : first + second, op.by);
}

int32_t Product(const BinaryFixedOp& op, int32_t a, int32_t b) { return Multiply(a * b, op.by); }

int32_t PRelu(const BinaryFixedOp& op, int32_t a, int32_t b) {
  return a >= 0 ? Multiply(a, op.a_by) : Multiply(a * (b - op.b_zero), op.by);
}

bool IsGreater(const BinaryFixedOp& op, int32_t a, int32_t b) {
  return Multiply(ShiftLeftWrapped(a, kComparisonExtraBitsS16), op.a_by) >
         Multiply(ShiftLeftWrapped(b, kComparisonExtraBitsS16), op.b_by);
}

template <int32_t (*kFunction)(const BinaryFixedOp&, int32_t, int32_t), typename B>
void Run(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b, size_t b_stride, void* y,
         size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const int32_t value = kFunction(op, a[i * a_stride], static_cast<const B*>(b)[i * b_stride]);
    static_cast<int16_t*>(y)[i] = static_cast<int16_t>(std::clamp(value, op.lo, op.hi));
  }
}

void RunComparison(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b, size_t b_stride,
                   void* y, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const bool is_greater = IsGreater(op, a[i * a_stride], static_cast<const int16_t*>(b)[i * b_stride]);
    static_cast<uint8_t*>(y)[i] = is_greater ? 1 : 0;
  }
}

}  // namespace

void BinaryS16_scalar(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b,
                      size_t b_stride, void* y, size_t n) {
  const auto run = op.kind == BinaryKind::kGreater ? RunComparison
                   : op.kind == BinaryKind::kMul   ? Run<Product, int16_t>
                   : op.kind == BinaryKind::kPRelu ? Run<PRelu, int8_t>
                                                   : Run<Sum, int16_t>;
  run(op, a, a_stride, b, b_stride, y, n);
}

}  // namespace micrort
