#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

MICRORT_DEFINE_BLEND_F32(sse41)

}  // namespace micrort
