#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

MICRORT_DEFINE_BLEND_F32(avx2)

}  // namespace micrort
