#include "arm/neon/vec8_neon.h"
#include "kernels/attention/attend_few_impl.h"

namespace micrort {

MICRORT_DEFINE_ATTEND_FEW(neon, 1)

}  // namespace micrort
