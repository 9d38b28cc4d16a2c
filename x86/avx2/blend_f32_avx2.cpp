#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

void BlendF32_avx2(const BlendF32& blend) { Blend<F32x8>(blend); }

}  // namespace micrort
