#include "kernels/elementwise/unary_s16_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void UnaryS16_simd128(const UnaryS16Op& op, const void* x, void* y, size_t n) {
  RunUnaryS16<F32x8>(op, x, y, n);
}

}  // namespace micrort
