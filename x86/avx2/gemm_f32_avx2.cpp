#include "kernels/gemm/gemm_f32_impl.h"
#include "kernels/gemm/half_row_f32.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

void GemmF32_avx2_6x16(const GemmF32Tile& tile) { GemmF32<F32x8, 6, 2>(tile); }

void HalfRowF32_avx2_6x16(const GemmF32Tile& tile, const uint16_t* halves) {
  GemmF32Row<F32x8, 6, 2>(tile, halves);
}

}  // namespace micrort
