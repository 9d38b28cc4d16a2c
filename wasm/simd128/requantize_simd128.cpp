#include "kernels/gemm/requantize_impl.h"
#include "wasm/simd128/fixed_by_floats.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void RequantizeS8_simd128(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeS8<F32x8>(tile, out);
}
void RequantizeFixedS8_simd128(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeFixedS8<F32x8, ColumnsByFloats>(tile, out);
}
void RequantizeF32_simd128(const AccumulatorTile& tile, const DequantizeOutput& out) {
  RequantizeF32<F32x8>(tile, out);
}

}  // namespace micrort
