#include "kernels/gemm/requantize_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void RequantizeS8_sse41(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeS8<F32x8>(tile, out);
}
void RequantizeFixedS8_sse41(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeFixedS8<F32x8>(tile, out);
}
void RequantizeF32_sse41(const AccumulatorTile& tile, const DequantizeOutput& out) {
  RequantizeF32<F32x8>(tile, out);
}

}  // namespace micrort
