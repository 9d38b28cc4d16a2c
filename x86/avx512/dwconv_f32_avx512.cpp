#include "kernels/dwconv/dwconv_f32_slide_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

void DwConvF32_avx512_4(const DwConvF32Tile& tile) { DwConvF32Sliding<F32x16, 4>(tile); }

}  // namespace micrort
