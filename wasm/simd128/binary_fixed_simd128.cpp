#include "kernels/elementwise/binary_fixed_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void BinaryFixed_simd128(const BinaryFixedOp& op, const int8_t* a, size_t a_stride, const int8_t* b,
                         size_t b_stride, int8_t* y, size_t n) {
  RunBinaryFixed<F32x8>(op, a, a_stride, b, b_stride, y, n);
}

}  // namespace micrort
