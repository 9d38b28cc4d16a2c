#include "tests/kernels/simd/vec8_ops_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

Vec8Ops Vec8OpsSse41() { return MakeVec8Ops<F32x8>(); }

}  // namespace micrort
