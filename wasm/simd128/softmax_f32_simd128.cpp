#include "kernels/elementwise/softmax_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void SoftmaxRowsF32_simd128(const float* x, float* y, size_t rows, size_t n, bool log) {
  SoftmaxRows<F32x8>(x, y, rows, n, log);
}

void SoftmaxColumnsF32_simd128(const float* x, float* y, size_t columns, size_t n, size_t stride, bool log) {
  SoftmaxColumns<F32x8>(x, y, columns, n, stride, log);
}

}  // namespace micrort
