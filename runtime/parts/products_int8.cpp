#include "kernels/base/part.h"
#include "kernels/implicit_gemm/implicit_gemm_s8.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kImplicitGemmS8);

void parts::ProductsInt8() {}

}  // namespace micrort
