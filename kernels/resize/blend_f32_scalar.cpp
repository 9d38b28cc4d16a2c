#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"

namespace micrort {

MICRORT_DEFINE_BLEND_F32(scalar)

}  // namespace micrort
