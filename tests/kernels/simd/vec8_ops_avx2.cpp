#include "tests/kernels/simd/vec8_ops_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

Vec8Ops Vec8OpsAvx2() { return MakeVec8Ops<F32x8>(); }

}  // namespace micrort
