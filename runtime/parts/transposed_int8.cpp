#include "kernels/base/part.h"
#include "kernels/transposed_conv/sub_pixel.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kSubPixelGemmS8);

void parts::TransposedInt8() {}

}  // namespace micrort
