#include "converter/quantize/channel_products.h"

#include "converter/simd/floats.h"

namespace micrort::quantize {
namespace {

using simd::Broadcast;
using simd::Floats;
using simd::kFloats;
using simd::Load;

constexpr size_t kVectors = 2;
constexpr size_t kColumns = kVectors * kFloats;

void AddColumns(const float* factors, const float* rows, size_t row_stride, size_t depth, size_t stride,
                float* sums) {
  Floats tile[kChannelsAtOnce][kVectors];
  for (size_t c = 0; c < kChannelsAtOnce; ++c) {
    for (size_t v = 0; v < kVectors; ++v) tile[c][v] = Load(sums + c * stride + v * kFloats);
  }
  for (size_t i = 0; i < depth; ++i, rows += row_stride) {
    for (size_t c = 0; c < kChannelsAtOnce; ++c) {
      const Floats factor = Broadcast(factors[c * stride + i]);
      for (size_t v = 0; v < kVectors; ++v) tile[c][v] += factor * Load(rows + v * kFloats);
    }
  }
  for (size_t c = 0; c < kChannelsAtOnce; ++c) {
    for (size_t v = 0; v < kVectors; ++v) simd::Store(tile[c][v], sums + c * stride + v * kFloats);
  }
}

void AddColumn(const float* factors, const float* rows, size_t row_stride, size_t depth, size_t stride,
               float* sums) {
  for (size_t c = 0; c < kChannelsAtOnce; ++c) {
    for (size_t i = 0; i < depth; ++i) sums[c * stride] += factors[c * stride + i] * rows[i * row_stride];
  }
}

}  // namespace

void AddChannelProducts(const float* factors, const float* rows, size_t row_stride, size_t depth, size_t n,
                        size_t stride, float* sums) {
  size_t j = 0;
  for (; j + kColumns <= n; j += kColumns) AddColumns(factors, rows + j, row_stride, depth, stride, sums + j);
  for (; j < n; ++j) AddColumn(factors, rows + j, row_stride, depth, stride, sums + j);
}

}  // namespace micrort::quantize
