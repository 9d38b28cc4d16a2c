#include "kernels/base/simd/vec8_scalar.h"
#include "kernels/reduce/min_max_f32_impl.h"

namespace micrort {

MinMax MinMaxF32_scalar(const float* x, size_t n) { return MinMaxF32<F32x8>(x, n); }

}  // namespace micrort
