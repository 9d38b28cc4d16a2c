#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "kernels/dwconv/depthwise_s16.h"
#include "kernels/implicit_gemm/implicit_gemm_s16.h"
#include "kernels/layer_s16/direct_s16.h"
#include "kernels/layer_s16/product_s16.h"
#include "micrort/op_resolver.h"

namespace micrort {

#if !defined(MICRORT_NO_INT16)
MICRORT_LINK(kDirectS16);
MICRORT_LINK(RunProductS16);
// Microcontrollers have no vectors that these have kernels for.
#if !defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE != 'M'
MICRORT_LINK(kImplicitGemmS16);
MICRORT_LINK(kDepthwiseS16);
#endif
#endif

void parts::LayersInt16() {}

}  // namespace micrort
