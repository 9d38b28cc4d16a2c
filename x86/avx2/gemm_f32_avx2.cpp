#include "kernels/gemm/gemm_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

void GemmF32_avx2_6x16(const GemmF32Tile& tile) { GemmF32<F32x8, 6, 2>(tile); }

}  // namespace micrort
