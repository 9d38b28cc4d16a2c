#include "kernels/attention/attend_few_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

MICRORT_DEFINE_ATTEND_FEW(avx2, 4, EightLanes<F32x8, 8>)

}  // namespace micrort
