#include "arm/neon/vec8_neon.h"
#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"

namespace micrort {

MICRORT_DEFINE_BLEND_F32(neon)

}  // namespace micrort
