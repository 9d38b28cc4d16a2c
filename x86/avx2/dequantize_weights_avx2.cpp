#include "kernels/gemm/dequantize_weights_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

void DequantizeWeightsS8_avx2(const int8_t* b, const float* scales, size_t rows, size_t nr, float* out) {
  DequantizeWeightsS8<F32x8>(b, scales, rows, nr, out);
}
void DequantizeWeightsS4_avx2(const uint8_t* runs, size_t rows, size_t nr, bool half_scales, float* out) {
  DequantizeWeightsS4<F32x8>(runs, rows, nr, half_scales, out);
}

}  // namespace micrort
