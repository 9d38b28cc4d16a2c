#include "kernels/base/simd/vec8_scalar.h"
#include "tests/kernels/simd/vec8_ops_impl.h"

namespace micrort {

Vec8Ops Vec8OpsScalar() { return MakeVec8Ops<F32x8>(); }

}  // namespace micrort
