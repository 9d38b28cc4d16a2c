#include "kernels/gemm/requantize_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

void RequantizeS8_avx2(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeS8<F32x8>(tile, out);
}
void RequantizeF32_avx2(const AccumulatorTile& tile, const DequantizeOutput& out) {
  RequantizeF32<F32x8>(tile, out);
}

}  // namespace micrort
