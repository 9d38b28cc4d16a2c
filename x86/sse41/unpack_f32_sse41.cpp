#include "kernels/gemm/unpack_f32_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void UnpackS8_sse41(const int8_t* b, const float* scales, size_t rows, size_t nr, float* out) {
  UnpackF32S8<F32x8>(b, scales, rows, nr, out);
}
void UnpackS4_sse41(const uint8_t* runs, size_t rows, size_t nr, float* out) {
  UnpackF32S4<F32x8>(runs, rows, nr, out);
}

}  // namespace micrort
