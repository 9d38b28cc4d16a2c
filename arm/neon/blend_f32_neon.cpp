#include "arm/neon/vec8_neon.h"
#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"

namespace micrort {

void BlendF32_neon(const BlendF32& blend) { Blend<F32x8>(blend); }

}  // namespace micrort
