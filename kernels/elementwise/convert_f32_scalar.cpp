#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/elementwise/convert_f32_impl.h"

namespace micrort {

MICRORT_DEFINE_CONVERT_F32(scalar)

}  // namespace micrort
