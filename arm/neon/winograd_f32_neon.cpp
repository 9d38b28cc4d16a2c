#include "arm/neon/vec8_neon.h"
#include "kernels/winograd/winograd_f32_impl.h"

namespace micrort {

MICRORT_DEFINE_WINOGRAD_F32(neon, F32x8)

}  // namespace micrort
