#include <algorithm>
#include <cmath>

#include "kernels/layer_s16/finish_s16.h"

namespace micrort {

void FinishS16_scalar(const FinishS16Tile& t) {
  for (size_t i = 0; i < t.m; ++i) {
    for (size_t j = 0; j < t.n; ++j) {
      const int32_t* acc = t.acc + i * t.acc_stride + j;
      double sum = t.bias[j];
      for (size_t b = 0; b < t.blocks; ++b) sum += static_cast<double>(acc[b * t.block_stride]);
      const double value = std::floor(sum * t.scales[j] + 0.5);
      t.y[i * t.y_stride + j] = static_cast<int16_t>(
          std::min(std::max(value, static_cast<double>(t.lo)), static_cast<double>(t.hi)));
    }
  }
}

}  // namespace micrort
