#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

void UnaryF32_avx2(const UnaryOp& op, const float* x, float* y, size_t n) { UnaryF32<F32x8, 8>(op, x, y, n); }

}  // namespace micrort
