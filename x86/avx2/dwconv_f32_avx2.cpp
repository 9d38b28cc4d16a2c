#include "kernels/dwconv/dwconv_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

// Whole cache lines of four pixels: their sums and a row of a 3x3 filter fill the registers.
void DwConvF32_avx2_4(const DwConvF32Tile& tile) { DwConvF32<F32x8, 4, 2>(tile); }

}  // namespace micrort
