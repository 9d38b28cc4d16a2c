#include "kernels/base/part.h"
#include "kernels/grouped_conv/grouped_conv_f32.h"
#include "kernels/winograd/winograd.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kWinograd2);
MICRORT_LINK(kWinograd4);
MICRORT_LINK(kWinograd6);
MICRORT_LINK(kWinograd1x2);
#if MICRORT_KERNELS_avx2
MICRORT_LINK(kGroupedConvF32);
#endif

void parts::ConvolutionsFloat32() {}

}  // namespace micrort
