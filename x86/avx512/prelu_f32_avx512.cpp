#include "kernels/elementwise/prelu_f32.h"
#include "kernels/elementwise/prelu_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

void PReluF32_avx512(const float* slopes, float* y, size_t rows, size_t columns, size_t stride) {
  PReluF32<F32x16>(slopes, y, rows, columns, stride);
}

}  // namespace micrort
