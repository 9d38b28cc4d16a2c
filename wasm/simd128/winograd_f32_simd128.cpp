#include "kernels/winograd/winograd_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

MICRORT_DEFINE_WINOGRAD_F32(simd128, F32x8)

}  // namespace micrort
