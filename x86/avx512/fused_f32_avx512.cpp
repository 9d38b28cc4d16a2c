#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

MICRORT_DEFINE_FUSED_F32(avx512, WholeRegisters<F32x16>, 8)

}  // namespace micrort
