#include "kernels/dwconv/dwconv_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void DwConvF32_sse41_4(const DwConvF32Tile& tile) { DwConvF32<F32x8, 4, 1>(tile); }

}  // namespace micrort
