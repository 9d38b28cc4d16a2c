#include "arm/neon/vec8_neon.h"
#include "kernels/elementwise/convert_f32_impl.h"

namespace micrort {

MICRORT_DEFINE_CONVERT_F32(neon)

}  // namespace micrort
