#include "kernels/winograd/winograd_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

MICRORT_DEFINE_WINOGRAD_F32(sse41, F32x8)

}  // namespace micrort
