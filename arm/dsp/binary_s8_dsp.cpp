// One element at a time.

#include "arm/dsp/dsp_math.h"
#include "kernels/elementwise/binary_s8.h"

namespace micrort {

namespace {

inline float Real(int8_t q, const QuantizationParams& by) {
  return static_cast<float>(q - by.zero_point) * by.scale;
}

// What is no number becomes the lowest value.
inline int8_t QuantizedReal(float v, const QuantizationParams& by) {
  const auto low = static_cast<float>(INT8_MIN - by.zero_point),
             high = static_cast<float>(INT8_MAX - by.zero_point);
  const float steps = v / by.scale;
  const float above = steps > low ? steps : low;
  return static_cast<int8_t>(Rounded(above < high ? above : high) + by.zero_point);
}

template <typename Function>
inline void ForElements(const BinaryS8Op& op, const int8_t* a, size_t a_stride, const int8_t* b,
                        size_t b_stride, int8_t* y, size_t n, Function f) {
  for (size_t i = 0; i < n; ++i, a += a_stride, b += b_stride) {
    float v = f(Real(*a, op.a), Real(*b, op.b));
    if (op.clamps) v = v < op.lo ? op.lo : v > op.hi ? op.hi : v;
    y[i] = QuantizedReal(v, op.y);
  }
}

}  // namespace

void BinaryS8_dsp(const BinaryS8Op& op_in_memory, const int8_t* a, size_t a_stride, const int8_t* b,
                  size_t b_stride, int8_t* y, size_t n) {
  // A copy, which no output can overlap.
  const BinaryS8Op op = op_in_memory;
  switch (op.kind) {
    case BinaryKind::kAdd:
      return ForElements(op, a, a_stride, b, b_stride, y, n, [](float u, float v) { return u + v; });
    case BinaryKind::kSub:
      return ForElements(op, a, a_stride, b, b_stride, y, n, [](float u, float v) { return u - v; });
    default:
      return ForElements(op, a, a_stride, b, b_stride, y, n, [](float u, float v) { return u * v; });
  }
}

}  // namespace micrort
