#include "kernels/gemm/gemm_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

// Two loads and two multiply-adds a cycle: wide tiles have more of the latter for every load.
void GemmF32_avx512_8x32(const GemmF32Tile& tile) { GemmF32<F32x16, 8, 2, true>(tile); }
void GemmF32_avx512_6x64(const GemmF32Tile& tile) { GemmF32<F32x16, 6, 4, true>(tile); }

}  // namespace micrort
