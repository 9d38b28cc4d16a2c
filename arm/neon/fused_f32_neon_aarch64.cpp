#include "arm/neon/vec8_neon.h"
#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"

namespace micrort {

MICRORT_DEFINE_FUSED_F32(neon64, HalfRegisters<F32x8>, 8)

}  // namespace micrort
