#include "tests/kernels/simd/vec8_ops_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

Vec8Ops Vec8OpsSimd128() { return MakeVec8Ops<F32x8>(); }

}  // namespace micrort
