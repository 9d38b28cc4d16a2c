// One element at a time.

#include "arm/dsp/dsp_math.h"
#include "arm/dsp/fixed_scale.h"
#include "kernels/elementwise/binary_fixed.h"

namespace micrort {

namespace {

// f(a - a_zero, b - b_zero) of all elements, clamped.
template <typename Function>
inline void ForElements(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                        size_t b_stride, int8_t* y, size_t n, Function f) {
  // Copies, which no output can overlap.
  const int32_t a_zero = op.a_zero, b_zero = op.b_zero, y_zero = op.y_zero, lo = op.lo, hi = op.hi;
  for (size_t i = 0; i < n; ++i, a += a_stride, b += b_stride) {
    y[i] = Saturated8(f(*a - a_zero, *b - b_zero) + y_zero);
  }
  if (lo == INT8_MIN && hi == INT8_MAX) return;
  for (size_t i = 0; i < n; ++i) y[i] = static_cast<int8_t>(y[i] < lo ? lo : y[i] > hi ? hi : y[i]);
}

}  // namespace

void BinaryFixed_dsp(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                     size_t b_stride, int8_t* y, size_t n) {
  constexpr int kExtraBits = 20;
  const FixedScale by(op.by);
  if (op.kind == BinaryKind::kMul) {
    ForElements(op, a, a_stride, b, b_stride, y, n, [=](int32_t u, int32_t v) { return by(u * v); });
    return;
  }
  const FixedScale a_by(op.a_by), b_by(op.b_by);
  const int32_t sign = op.kind == BinaryKind::kSub ? -1 : 1;
  ForElements(op, a, a_stride, b, b_stride, y, n, [=](int32_t u, int32_t v) {
    const int32_t second = b_by(ShiftLeftWrapped(v, kExtraBits));
    return by(WrappedAdd(a_by(ShiftLeftWrapped(u, kExtraBits)), second * sign));
  });
}

}  // namespace micrort
