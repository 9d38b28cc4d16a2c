#include "kernels/gemm/gemm_s8.h"

namespace micrort {

void GemmS8_scalar_4x4(const GemmS8Block& block) {
  constexpr size_t kNr = 4;
  for (size_t i = 0; i < block.m; ++i) {
    const int8_t* a = static_cast<const int8_t*>(block.a) + i * block.a_stride;
    int32_t sums[kNr] = {};
    for (size_t k = 0; k < block.depth; ++k) {
      for (size_t j = 0; j < kNr; ++j) sums[j] += a[k] * block.b[k * kNr + j];
    }
    for (size_t j = 0; j < kNr; ++j) block.sums[i * kNr + j] = sums[j];
  }
}

}  // namespace micrort
