#include "kernels/elementwise/prelu_f32.h"
#include "kernels/elementwise/prelu_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void PReluF32_sse41(const float* slopes, float* y, size_t rows, size_t columns, size_t stride) {
  PReluF32<F32x8>(slopes, y, rows, columns, stride);
}

}  // namespace micrort
