#include "kernels/base/part.h"
#include "kernels/winograd/half_winograd.h"
#include "micrort/op_resolver.h"

namespace micrort {

#if MICRORT_KERNELS_fp16
MICRORT_LINK(kWinograd2F16);
#endif

void parts::ConvolutionsFloat16() {}

}  // namespace micrort
