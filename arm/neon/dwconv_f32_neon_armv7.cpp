#include "arm/neon/vec8_neon.h"
#include "kernels/dwconv/dwconv_f32_impl.h"

namespace micrort {

// ARMv7 has half the registers of AArch64.
void DwConvF32_neon_4(const DwConvF32Tile& tile) { DwConvF32<F32x8, 4, 1>(tile); }

}  // namespace micrort
