#include "kernels/elementwise/unary_s16_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void UnaryS16_sse41(const UnaryS16Op& op, const void* x, void* y, size_t n) {
  RunUnaryS16<F32x8>(op, x, y, n);
}

}  // namespace micrort
