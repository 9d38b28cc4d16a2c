#include "kernels/winograd/winograd_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

MICRORT_DEFINE_WINOGRAD_F32(avx2, F32x8)

}  // namespace micrort
