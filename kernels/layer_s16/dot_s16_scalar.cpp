#include "kernels/layer_s16/dot_s16.h"

namespace micrort {
namespace {

// So many products fit into 32 bits.
constexpr size_t kShortSum = 256;

int32_t ShortDot(const int16_t* x, const int8_t* w, size_t n) {
  int32_t sum = 0;
  for (size_t k = 0; k < n; ++k) sum += x[k] * w[k];
  return sum;
}

}  // namespace

void DotS16_scalar(const int16_t* x, const int8_t* w, size_t stride, size_t depth, size_t columns,
                   int64_t* acc) {
  for (size_t j = 0; j < columns; ++j, w += stride) {
    int64_t sum = acc[j];
    for (size_t k = 0; k < depth; k += kShortSum) {
      sum += ShortDot(x + k, w + k, depth - k < kShortSum ? depth - k : kShortSum);
    }
    acc[j] = sum;
  }
}

void ScaleS16_scalar(const int16_t* x, const int8_t* w, size_t n, int64_t* acc) {
  for (size_t j = 0; j < n; ++j) acc[j] += x[j] * w[j];
}

}  // namespace micrort
