#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/dwconv/dwconv_s8_impl.h"

namespace micrort {

void DwConvS8_scalar_2(const DwConvS8Tile& tile) { DwConvS8<S32x8, 2>(tile); }

}  // namespace micrort
