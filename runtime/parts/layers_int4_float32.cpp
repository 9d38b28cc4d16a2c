#include "kernels/base/int4.h"
#include "kernels/base/part.h"
#include "kernels/gemm/dequantize_weights.h"
#include "kernels/gemm/pack_narrow.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/read_int4_grid.h"

namespace micrort {

#if !defined(MICRORT_NO_FLOAT_LAYERS)
MICRORT_LINK(kDequantizingGemmF32);
MICRORT_LINK(DequantizeWeightsS4Of);
MICRORT_LINK(PackInt4Panel);
MICRORT_LINK(PackInt4BF32);
MICRORT_LINK(ReadInt4Grid);
#endif

void parts::LayersInt4Float32() {}

}  // namespace micrort
