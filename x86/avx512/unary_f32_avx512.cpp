#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

void UnaryF32_avx512(const UnaryOp& op, const float* x, float* y, size_t n) {
  UnaryF32<F32x16, 8>(op, x, y, n);
}

}  // namespace micrort
