#include "kernels/reduce/min_max_f32_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

MinMax MinMaxF32_simd128(const float* x, size_t n) { return MinMaxF32<F32x8>(x, n); }

}  // namespace micrort
