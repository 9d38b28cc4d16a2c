#include "kernels/reduce/fold_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void FoldRunF32_simd128(FoldKind kind, float shift, const float* x, size_t n, float* lanes) {
  FoldRun<F32x8>(kind, shift, x, n, lanes);
}

void FoldColumnsF32_simd128(FoldKind kind, const float* shift, const float* x, size_t rows, size_t stride,
                            size_t columns, float* acc) {
  FoldColumns<F32x8>(kind, shift, x, rows, stride, columns, acc);
}

}  // namespace micrort
