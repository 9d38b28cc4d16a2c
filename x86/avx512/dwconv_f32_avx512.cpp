#include "kernels/dwconv/dwconv_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

void DwConvF32_avx512_8(const DwConvF32Tile& tile) {
  if (tile.m <= 4) return DwConvF32<F32x16, 4, 2>(tile);
  DwConvF32<F32x16, 8, 2>(tile);
}

}  // namespace micrort
