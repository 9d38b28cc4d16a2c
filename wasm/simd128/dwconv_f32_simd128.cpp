#include "kernels/dwconv/dwconv_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void DwConvF32_simd128_4(const DwConvF32Tile& tile) { DwConvF32<F32x8, 4, 1>(tile); }

}  // namespace micrort
