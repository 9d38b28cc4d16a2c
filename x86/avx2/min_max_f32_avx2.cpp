#include "kernels/reduce/min_max_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

MinMax MinMaxF32_avx2(const float* x, size_t n) { return MinMaxF32<F32x8>(x, n); }

}  // namespace micrort
