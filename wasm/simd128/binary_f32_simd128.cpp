#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/binary_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void BinaryF32_simd128(BinaryKind kind, const float* a, size_t a_stride, const float* b, size_t b_stride,
                       void* y, size_t n) {
  BinaryF32<F32x8>(kind, {a, a_stride, b, b_stride}, y, n);
}

}  // namespace micrort
