#include "kernels/gemm/gemm_s8.h"

namespace micrort {

void GemmS8_scalar_4x4(size_t m, size_t depth, const void* const* a, const int8_t* b, int32_t* tile) {
  constexpr int kMr = 4, kNr = 4;
  const int rows = static_cast<int>(m);
  int32_t acc[kMr][kNr] = {};
  for (size_t k = 0; k < depth; ++k) {
    for (int i = 0; i < rows; ++i) {
      const int32_t x = static_cast<const int8_t*>(a[i])[k];
      for (int j = 0; j < kNr; ++j) acc[i][j] += x * b[k * kNr + static_cast<size_t>(j)];
    }
  }
  for (int i = 0; i < kMr; ++i) {
    for (int j = 0; j < kNr; ++j) tile[i * kNr + j] = acc[i][j];
  }
}

}  // namespace micrort
