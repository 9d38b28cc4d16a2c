#include "kernels/base/part.h"
#include "kernels/transposed_conv/sub_pixel.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kSubPixelGemmF32);
MICRORT_LINK(kSubPixelWinograd2);
MICRORT_LINK(kSubPixelWinograd4);

void parts::TransposedFloat32() {}

}  // namespace micrort
