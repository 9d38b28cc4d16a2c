#include "kernels/gemm/unpack_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

void UnpackS8_avx2(const int8_t* b, const float* scales, size_t rows, size_t nr, float* out) {
  UnpackF32S8<F32x8>(b, scales, rows, nr, out);
}
void UnpackS4_avx2(const uint8_t* runs, size_t rows, size_t nr, float* out) {
  UnpackF32S4<F32x8>(runs, rows, nr, out);
}

}  // namespace micrort
