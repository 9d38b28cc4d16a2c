#include "kernels/gemm/gemm_f32_impl.h"
#include "kernels/gemm/half_row_f32.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

// Two loads and two multiply-adds a cycle: wide tiles have more of the latter for every load.
void GemmF32_avx512_8x32(const GemmF32Tile& tile) { GemmF32<F32x16, 8, 2, true>(tile); }
void GemmF32_avx512_6x64(const GemmF32Tile& tile) { GemmF32<F32x16, 6, 4, true>(tile); }

void HalfRowF32_avx512_8x32(const GemmF32Tile& tile, const uint16_t* halves) {
  GemmF32Row<F32x16, 8, 2, true>(tile, halves);
}
void HalfRowF32_avx512_6x64(const GemmF32Tile& tile, const uint16_t* halves) {
  GemmF32Row<F32x16, 6, 4, true>(tile, halves);
}

}  // namespace micrort
