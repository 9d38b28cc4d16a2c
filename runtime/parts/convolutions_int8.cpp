#include "kernels/base/part.h"
#include "kernels/grouped_conv/grouped_gemm_s8.h"
#include "kernels/winograd/int8_winograd.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(kWinogradS8);
MICRORT_LINK(kGroupedGemmS8);

void parts::ConvolutionsInt8() {}

}  // namespace micrort
