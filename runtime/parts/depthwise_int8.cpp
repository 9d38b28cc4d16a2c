#include "kernels/base/part.h"
#include "kernels/dwconv/depthwise_s8.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kDepthwiseS8);

void parts::DepthwiseInt8() {}

}  // namespace micrort
