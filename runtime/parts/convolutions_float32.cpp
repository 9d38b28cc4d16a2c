#include "kernels/base/part.h"
#include "kernels/winograd/winograd.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kWinograd2);
MICRORT_LINK(kWinograd4);
MICRORT_LINK(kWinograd6);
MICRORT_LINK(kWinograd1x2);

void parts::ConvolutionsFloat32() {}

}  // namespace micrort
