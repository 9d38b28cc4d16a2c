#include "arm/neon/vec8_neon.h"
#include "kernels/elementwise/unary_s16_impl.h"

namespace micrort {

void UnaryS16_neon(const UnaryS16Op& op, const void* x, void* y, size_t n) {
  RunUnaryS16<F32x8>(op, x, y, n);
}

}  // namespace micrort
