#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/dwconv/dwconv_f32_impl.h"

namespace micrort {

void DwConvF32_scalar_2(const DwConvF32Tile& tile) { DwConvF32Any<F32x8, 2>(tile); }

}  // namespace micrort
