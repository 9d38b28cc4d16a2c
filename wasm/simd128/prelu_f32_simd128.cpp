#include "kernels/elementwise/prelu_f32.h"
#include "kernels/elementwise/prelu_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void PReluF32_simd128(const float* slopes, float* y, size_t rows, size_t columns, size_t stride) {
  PReluF32<F32x8>(slopes, y, rows, columns, stride);
}

}  // namespace micrort
