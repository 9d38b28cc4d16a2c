#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void UnaryF32_simd128(const UnaryOp& op, const float* x, float* y, size_t n) {
  UnaryF32<F32x8, 4>(op, x, y, n);
}

}  // namespace micrort
