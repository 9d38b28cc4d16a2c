#include "arm/neon/vec8_neon.h"
#include "kernels/normalize/normalize_f32_impl.h"

namespace micrort {

void NormalizeRowsF32_neon(const NormalizeRowF32& p, const float* x, float* y, size_t rows, size_t n) {
  NormalizeRows<F32x8>(p, x, y, rows, n);
}

void SquareColumnsF32_neon(const float* mean, const float* x, size_t rows, size_t stride, size_t columns,
                           float* acc) {
  SquareColumns<F32x8>(mean, x, rows, stride, columns, acc);
}

void AffineColumnsF32_neon(const ColumnsAffineF32& p, const float* x, float* y, size_t rows, size_t stride,
                           size_t columns) {
  AffineColumns<F32x8>(p, x, y, rows, stride, columns);
}

}  // namespace micrort
