#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"

namespace micrort {

void BlendF32_scalar(const BlendF32& blend) { Blend<F32x8>(blend); }

}  // namespace micrort
