#include "kernels/gemm/dequantize_weights_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

void DequantizeWeightsS8_avx512(const int8_t* b, const float* scales, size_t rows, size_t nr, float* out) {
  DequantizeWeightsS8<F32x16>(b, scales, rows, nr, out);
}
void DequantizeWeightsS4_avx512(const uint8_t* runs, size_t rows, size_t nr, bool half_scales, float* out) {
  DequantizeWeightsS4<F32x16>(runs, rows, nr, half_scales, out);
}

}  // namespace micrort
