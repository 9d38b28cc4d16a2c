#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/gemm/requantize_impl.h"

namespace micrort {

void RequantizeS8_scalar(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeS8<F32x8>(tile, out);
}
void RequantizeFixedS8_scalar(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeFixedS8<F32x8>(tile, out);
}
void RequantizeF32_scalar(const AccumulatorTile& tile, const DequantizeOutput& out) {
  RequantizeF32<F32x8>(tile, out);
}

}  // namespace micrort
