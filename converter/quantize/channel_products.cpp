#include "converter/quantize/channel_products.h"

namespace micrort::quantize {
namespace {

template <size_t kColumns>
void AddColumns(const float* factors, const float* rows, size_t row_stride, size_t depth, size_t stride,
                float* sums) {
  float tile[kChannelsAtOnce][kColumns];
  for (size_t c = 0; c < kChannelsAtOnce; ++c) {
    for (size_t k = 0; k < kColumns; ++k) tile[c][k] = sums[c * stride + k];
  }
  for (size_t i = 0; i < depth; ++i, rows += row_stride) {
    for (size_t c = 0; c < kChannelsAtOnce; ++c) {
      const float factor = factors[c * stride + i];
      for (size_t k = 0; k < kColumns; ++k) tile[c][k] += factor * rows[k];
    }
  }
  for (size_t c = 0; c < kChannelsAtOnce; ++c) {
    for (size_t k = 0; k < kColumns; ++k) sums[c * stride + k] = tile[c][k];
  }
}

}  // namespace

void AddChannelProducts(const float* factors, const float* rows, size_t row_stride, size_t depth, size_t n,
                        size_t stride, float* sums) {
  constexpr size_t kColumns = 8;
  size_t j = 0;
  for (; j + kColumns <= n; j += kColumns)
    AddColumns<kColumns>(factors, rows + j, row_stride, depth, stride, sums + j);
  for (; j < n; ++j) AddColumns<1>(factors, rows + j, row_stride, depth, stride, sums + j);
}

}  // namespace micrort::quantize
