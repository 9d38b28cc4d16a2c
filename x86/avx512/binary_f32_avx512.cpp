#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/binary_f32_impl.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {

void BinaryF32_avx512(BinaryKind kind, const float* a, size_t a_stride, const float* b, size_t b_stride,
                      void* y, size_t n) {
  BinaryF32<F32x16>(kind, {a, a_stride, b, b_stride}, y, n);
}

}  // namespace micrort
