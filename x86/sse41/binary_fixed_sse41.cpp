#include "kernels/elementwise/binary_fixed_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void BinaryFixed_sse41(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                       size_t b_stride, int8_t* y, size_t n) {
  RunBinaryFixed<F32x8>(op, a, a_stride, b, b_stride, y, n);
}

}  // namespace micrort
