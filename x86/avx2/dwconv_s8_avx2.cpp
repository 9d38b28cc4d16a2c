#include "kernels/dwconv/dwconv_s8_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

void DwConvS8_avx2_4(const DwConvS8Tile& tile) { DwConvS8<S32x8, 4>(tile); }

}  // namespace micrort
