#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void BlendF32_sse41(const BlendF32& blend) { Blend<F32x8>(blend); }

}  // namespace micrort
