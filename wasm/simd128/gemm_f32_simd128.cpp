#include "kernels/gemm/gemm_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void GemmF32_simd128_6x8(const GemmF32Tile& tile) { GemmF32<F32x8, 6, 1>(tile); }

}  // namespace micrort
