#include "arm/neon/vec8_neon.h"
#include "kernels/dwconv/dwconv_s8_impl.h"

namespace micrort {

void DwConvS8_neon_4(const DwConvS8Tile& tile) { DwConvS8<S32x8, 4>(tile); }

}  // namespace micrort
