// One element at a time.

#include "arm/dsp/fixed_scale.h"
#include "kernels/elementwise/binary_fixed.h"

namespace micrort {

namespace {

// f(a - a_zero, b - b_zero) of all elements, clamped.
template <typename Function>
inline void ForElements(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                        size_t b_stride, int8_t* y, size_t n, Function f) {
  const int32_t lo = op.lo - op.y_zero, hi = op.hi - op.y_zero;
  for (size_t i = 0; i < n; ++i, a += a_stride, b += b_stride) {
    const int32_t v = f(*a - op.a_zero, *b - op.b_zero);
    y[i] = static_cast<int8_t>((v < lo ? lo : v > hi ? hi : v) + op.y_zero);
  }
}

}  // namespace

void BinaryFixed_dsp(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                     size_t b_stride, int8_t* y, size_t n) {
  constexpr int kExtraBits = 20;
  const FixedScale by(op.by);
  if (op.kind == BinaryKind::kMul) {
    ForElements(op, a, a_stride, b, b_stride, y, n, [&](int32_t u, int32_t v) { return by(u * v); });
    return;
  }
  const FixedScale a_by(op.a_by), b_by(op.b_by);
  const int32_t sign = op.kind == BinaryKind::kSub ? -1 : 1;
  ForElements(op, a, a_stride, b, b_stride, y, n, [&](int32_t u, int32_t v) {
    const int32_t second = b_by(ShiftLeftWrapped(v, kExtraBits));
    return by(WrappedAdd(a_by(ShiftLeftWrapped(u, kExtraBits)), second * sign));
  });
}

}  // namespace micrort
