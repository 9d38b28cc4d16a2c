#include "arm/neon/vec8_neon.h"
#include "tests/kernels/simd/vec8_ops_impl.h"

namespace micrort {

Vec8Ops Vec8OpsNeon() { return MakeVec8Ops<F32x8>(); }

}  // namespace micrort
