#include "kernels/base/part.h"
#include "kernels/half_conv/half_conv_f32.h"
#include "kernels/implicit_gemm/implicit_gemm_f16.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kHalvesGemmF32);
#if MICRORT_KERNELS_fp16
MICRORT_LINK(kImplicitGemmF16);
#endif

void parts::LayersFloat16() {}

}  // namespace micrort
