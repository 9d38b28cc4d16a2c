#include "kernels/attention/attend_few_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

MICRORT_DEFINE_ATTEND_FEW(sse41, 1, EightLanes<F32x8, 4>)

}  // namespace micrort
