#include "kernels/fused/fused_f32.h"
#include "kernels/fused/fused_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

MICRORT_DEFINE_FUSED_F32(avx2, WholeRegisters<F32x8>, 8)

}  // namespace micrort
