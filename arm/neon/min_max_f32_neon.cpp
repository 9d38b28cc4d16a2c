#include "arm/neon/vec8_neon.h"
#include "kernels/reduce/min_max_f32_impl.h"

namespace micrort {

MinMax MinMaxF32_neon(const float* x, size_t n) { return MinMaxF32<F32x8>(x, n); }

}  // namespace micrort
