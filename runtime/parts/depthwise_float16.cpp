#include "kernels/base/part.h"
#include "kernels/dwconv/depthwise_f16.h"
#include "micrort/op_resolver.h"

namespace micrort {

#if MICRORT_KERNELS_fp16
MICRORT_LINK(kDepthwiseF16);
#endif

void parts::DepthwiseFloat16() {}

}  // namespace micrort
