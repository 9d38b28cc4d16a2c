#include "kernels/elementwise/convert_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

MICRORT_DEFINE_CONVERT_F32(simd128)

}  // namespace micrort
