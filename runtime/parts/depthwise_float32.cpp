#include "kernels/base/part.h"
#include "kernels/dwconv/depthwise_f32.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kDepthwiseF32);

void parts::DepthwiseFloat32() {}

}  // namespace micrort
