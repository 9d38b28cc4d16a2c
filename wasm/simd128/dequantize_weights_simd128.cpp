#include "kernels/gemm/dequantize_weights_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void DequantizeWeightsS8_simd128(const int8_t* b, const float* scales, size_t rows, size_t nr, float* out) {
  DequantizeWeightsS8<F32x8>(b, scales, rows, nr, out);
}
void DequantizeWeightsS4_simd128(const uint8_t* runs, size_t rows, size_t nr, bool half_scales, float* out) {
  DequantizeWeightsS4<F32x8>(runs, rows, nr, half_scales, out);
}

}  // namespace micrort
