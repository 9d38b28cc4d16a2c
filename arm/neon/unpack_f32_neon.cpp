#include "arm/neon/vec8_neon.h"
#include "kernels/gemm/unpack_f32_impl.h"

namespace micrort {

void UnpackS8_neon(const int8_t* b, const float* scales, size_t rows, size_t nr, float* out) {
  UnpackF32S8<F32x8>(b, scales, rows, nr, out);
}
void UnpackS4_neon(const uint8_t* runs, size_t rows, size_t nr, float* out) {
  UnpackF32S4<F32x8>(runs, rows, nr, out);
}

}  // namespace micrort
