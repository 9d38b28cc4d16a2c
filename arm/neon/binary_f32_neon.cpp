#include "arm/neon/vec8_neon.h"
#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/binary_f32_impl.h"

namespace micrort {

void BinaryF32_neon(BinaryKind kind, const float* a, size_t a_stride, const float* b, size_t b_stride,
                    void* y, size_t n) {
  BinaryF32<F32x8>(kind, {a, a_stride, b, b_stride}, y, n);
}

}  // namespace micrort
