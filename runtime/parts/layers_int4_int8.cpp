#include "kernels/base/int4.h"
#include "kernels/base/part.h"
#include "kernels/gemm/widen_int4.h"
#include "kernels/int4_gemm/int4_gemm.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/read_int4_grid.h"

namespace micrort {

#if !defined(MICRORT_NO_FLOAT_LAYERS)
MICRORT_LINK(WidenInt4);
MICRORT_LINK(kInt4Gemm);
MICRORT_LINK(ReadInt4Grid);
#endif

void parts::LayersInt4Int8() {}

}  // namespace micrort
