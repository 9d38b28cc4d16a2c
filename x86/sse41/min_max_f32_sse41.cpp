#include "kernels/reduce/min_max_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

MinMax MinMaxF32_sse41(const float* x, size_t n) { return MinMaxF32<F32x8>(x, n); }

}  // namespace micrort
