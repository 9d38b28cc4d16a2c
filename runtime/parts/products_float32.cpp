#include "kernels/base/part.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/strassen/strassen.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kImplicitGemmF32);
MICRORT_LINK(kStrassen);

void parts::ProductsFloat32() {}

}  // namespace micrort
