#include "kernels/base/part.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kDequantizingGemmF32);

void parts::LayersNarrowFloat32() {}

}  // namespace micrort
