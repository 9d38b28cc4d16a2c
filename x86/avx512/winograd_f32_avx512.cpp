#include "kernels/winograd/winograd_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

MICRORT_DEFINE_WINOGRAD_F32(avx512, F32x16)

}  // namespace micrort
