#include "kernels/resize/blend_f32.h"
#include "kernels/resize/blend_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

MICRORT_DEFINE_BLEND_F32(simd128)

}  // namespace micrort
