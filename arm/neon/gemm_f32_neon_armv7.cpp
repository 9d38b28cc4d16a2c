#include "arm/neon/vec8_neon.h"
#include "kernels/gemm/gemm_f32_impl.h"

namespace micrort {

// ARMv7 has half the registers of AArch64.
void GemmF32_neon_6x8(const GemmF32Tile& tile) { GemmF32<F32x8, 6, 1>(tile); }

}  // namespace micrort
