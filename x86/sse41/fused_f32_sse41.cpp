#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

MICRORT_DEFINE_FUSED_F32(sse41, HalfRegisters<F32x8>, 8)

}  // namespace micrort
