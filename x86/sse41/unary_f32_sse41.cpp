#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void UnaryF32_sse41(const UnaryOp& op, const float* x, float* y, size_t n) {
  UnaryF32<F32x8, 4>(op, x, y, n);
}

}  // namespace micrort
