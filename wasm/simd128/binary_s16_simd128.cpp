#include "kernels/elementwise/binary_s16_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

void BinaryS16_simd128(const BinaryFixedOp& op, const int16_t* a, size_t a_stride, const void* b,
                       size_t b_stride, void* y, size_t n) {
  RunBinaryS16<F32x8>(op, a, a_stride, b, b_stride, y, n);
}

}  // namespace micrort
