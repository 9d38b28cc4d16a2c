#include "kernels/normalize/normalize_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void NormalizeRowsF32_simd128(const NormalizeRowF32& p, const float* x, float* y, size_t rows, size_t n) {
  NormalizeRows<F32x8>(p, x, y, rows, n);
}

void SquareColumnsF32_simd128(const float* mean, const float* x, size_t rows, size_t stride, size_t columns,
                              float* acc) {
  SquareColumns<F32x8>(mean, x, rows, stride, columns, acc);
}

void AffineColumnsF32_simd128(const ColumnsAffineF32& p, const float* x, float* y, size_t rows, size_t stride,
                              size_t columns) {
  AffineColumns<F32x8>(p, x, y, rows, stride, columns);
}

}  // namespace micrort
