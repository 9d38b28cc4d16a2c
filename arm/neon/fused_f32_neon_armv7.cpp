#include "arm/neon/vec8_neon.h"
#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"

namespace micrort {

MICRORT_DEFINE_FUSED_F32(neon32, HalfRegisters<F32x8>, 4)

}  // namespace micrort
