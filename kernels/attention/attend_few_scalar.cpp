#include "kernels/attention/attend_few_impl.h"
#include "kernels/base/simd/vec8_scalar.h"

namespace micrort {

MICRORT_DEFINE_ATTEND_FEW(scalar, 1, EightLanes<F32x8, 4>)

}  // namespace micrort
