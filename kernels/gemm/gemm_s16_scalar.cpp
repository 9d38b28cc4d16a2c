#include "kernels/gemm/gemm_s16.h"

namespace micrort {

void GemmS16_scalar_2x4(const GemmS8Block& t) {
  constexpr size_t kNr = 4, kKr = 2;
  for (size_t i = 0; i < t.m; ++i) {
    const auto* row = reinterpret_cast<const int16_t*>(static_cast<const uint8_t*>(t.a) + i * t.a_stride);
    for (size_t j = 0; j < kNr; ++j) {
      int32_t sum = 0;
      for (size_t k = 0; k < t.depth; k += kKr) {
        const int8_t* w = t.b + k * kNr + j * kKr;
        sum += row[k] * w[0] + row[k + 1] * w[1];
      }
      t.sums[i * kNr + j] = sum;
    }
  }
}

}  // namespace micrort
