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

void DotPairS16_scalar(const DotPairS16& rows) {
  for (size_t r = 0; r < 2; ++r) {
    for (size_t j = 0; rows.is_first && j < rows.columns; ++j) rows.acc[r][j] = 0;
    DotS16_scalar(rows.x[r], rows.w, rows.stride, rows.depth, rows.columns, rows.acc[r]);
  }
}

void TapsS16_scalar(const TapS16* taps, size_t count, size_t n, int64_t* acc) {
  for (size_t j = 0; j < n; ++j) {
    int32_t sum = 0;
    for (size_t t = 0; t < count; ++t) sum += taps[t].x[j] * taps[t].w[j];
    acc[j] += sum;
  }
}

}  // namespace micrort
