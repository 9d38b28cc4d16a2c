#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

MICRORT_DEFINE_FUSED_F32(simd128, HalfRegisters<F32x8>, 8)

}  // namespace micrort
