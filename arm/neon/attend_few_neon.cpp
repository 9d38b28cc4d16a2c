#include "arm/neon/vec8_neon.h"
#include "kernels/attention/attend_few_impl.h"

namespace micrort {

// ARMv7 has 16 registers, AArch64 32.
#ifdef __aarch64__
MICRORT_DEFINE_ATTEND_FEW(neon, 2, EightLanes<F32x8, 8>)
#else
MICRORT_DEFINE_ATTEND_FEW(neon, 1, EightLanes<F32x8, 4>)
#endif

}  // namespace micrort
