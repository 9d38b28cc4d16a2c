#include "kernels/base/part.h"
#include "kernels/gemm/widen_int4.h"
#include "kernels/int4_gemm/int4_gemm.h"
#include "kernels/layer_s8/dynamic_input_s8.h"
#include "kernels/layer_s8/float_output_s8.h"
#include "micrort/op_resolver.h"

namespace micrort {

MICRORT_LINK(MakeDynamicInput);
MICRORT_LINK(MakeFloatOutputS8);
#if !defined(MICRORT_NO_FLOAT_LAYERS)
MICRORT_LINK(WidenInt4);
MICRORT_LINK(kInt4Gemm);
#endif

void parts::LayersInt8Float32() {}

}  // namespace micrort
