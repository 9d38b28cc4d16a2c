#include "arm/neon/vec8_neon.h"
#include "kernels/gemm/requantize_impl.h"

namespace micrort {

void RequantizeS8_neon(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeS8<F32x8>(tile, out);
}
void RequantizeF32_neon(const AccumulatorTile& tile, const DequantizeOutput& out) {
  RequantizeF32<F32x8>(tile, out);
}

}  // namespace micrort
