#include "kernels/elementwise/convert_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

MICRORT_DEFINE_CONVERT_F32(sse41)

}  // namespace micrort
