#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_f32_impl.h"

namespace micrort {

void UnaryF32_scalar(const UnaryOp& op, const float* x, float* y, size_t n) { UnaryF32<F32x8>(op, x, y, n); }

}  // namespace micrort
