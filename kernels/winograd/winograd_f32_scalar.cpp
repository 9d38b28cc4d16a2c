#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/winograd/winograd_f32_impl.h"

namespace micrort {

MICRORT_DEFINE_WINOGRAD_F32(scalar, F32x8)

}  // namespace micrort
