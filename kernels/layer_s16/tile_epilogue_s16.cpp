#include "kernels/layer_s16/tile_epilogue_s16.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/memory.h"

namespace micrort {
namespace {

// What vectors read behind the last channel.
constexpr size_t kExcess = 8;

size_t DoubleBytes(const Conv2DParams& p) {
  return AlignUp((static_cast<size_t>(p.out_c) + kExcess) * sizeof(double), kAlignment);
}

struct ColumnSums {
  int64_t sum = 0, magnitudes = 0;

  ColumnSums(const Conv2DParams& p, const ConvWeights& weights, int64_t channel) {
    const auto* w = static_cast<const int8_t*>(weights.data) + channel * weights.column_stride;
    for (int64_t k = 0; k < p.depth(); ++k) {
      const int weight = w[k * weights.depth_stride];
      sum += weight;
      magnitudes += std::abs(weight);
    }
  }
  // The largest sum, with its bias, that any input may have.
  int64_t LargestSum(int64_t bias) const {
    return (bias < 0 ? -bias : bias) + magnitudes * -int64_t{INT16_MIN};
  }
};

}  // namespace

TileTableS16::TileTableS16(const Conv2DParams& p, void* packed) : channels(p, packed) {
  uint8_t* const bytes = static_cast<uint8_t*>(packed) + ChannelTableS16::Bytes(p);
  bias = reinterpret_cast<double*>(bytes);
  scales = reinterpret_cast<double*>(bytes + DoubleBytes(p));
  exact = bytes + 2 * DoubleBytes(p);
}

size_t TileTableS16::Bytes(const Conv2DParams& p) {
  return ChannelTableS16::Bytes(p) + 2 * DoubleBytes(p) + kAlignment;
}

void TileTableS16::Fill(const Conv2DParams& p, const ConvWeights& weights, int offset) {
  channels.Fill(p, weights);
  std::fill_n(bias, DoubleBytes(p) / sizeof(double), 0.0);
  std::fill_n(scales, DoubleBytes(p) / sizeof(double), 0.0);
  *exact = !p.types.narrow_sums;
  for (int64_t o = 0; o < p.out_c; ++o) {
    const ColumnSums column(p, weights, o);
    if (column.LargestSum(channels.bias[o]) >= kMaxExactSumS16) *exact = 0;
    channels.bias[o] += offset * column.sum;
    bias[o] = static_cast<double>(channels.bias[o]);
    scales[o] = std::ldexp(static_cast<double>(channels.multipliers[o]), -channels.shifts[o]);
  }
}

void PlanTileEpilogueS16(CpuFeatures features, ConvPlan* plan) {
  plan->requantize = FinishS16Kernels()[SelectVariant(FinishS16Kernels(), features)].id;
}

TileEpilogueS16::TileEpilogueS16(const Conv2DParams& p, const ConvPlan& plan, const ConvTensors& tensors)
    : table_(p, const_cast<void*>(tensors.packed)),
      each_(p, tensors.packed),
      finish_(VariantOf(FinishS16Kernels(), plan.requantize).run),
      y_(static_cast<int16_t*>(tensors.y)),
      y_stride_(PixelStride(p, tensors)) {}

void TileEpilogueS16::Finish(const Sums& sums, size_t m, size_t n, int64_t row, int64_t column) const {
  int16_t* const y = y_ + row * y_stride_ + column;
  if (*table_.exact == 0) return FinishEach(sums, m, n, column, y);
  finish_({m, n, sums.acc, sums.stride, sums.blocks, sums.block_stride, table_.bias + column,
           table_.scales + column, each_.lo(), each_.hi(), y, static_cast<size_t>(y_stride_)});
}

void TileEpilogueS16::FinishEach(const Sums& sums, size_t m, size_t n, int64_t column, int16_t* y) const {
  constexpr size_t kColumns = 32;
  for (size_t i = 0; i < m; ++i, y += y_stride_) {
    for (size_t j = 0; j < n; j += kColumns) {
      const size_t columns = std::min(kColumns, n - j);
      int64_t wide[kColumns] = {};
      for (size_t b = 0; b < sums.blocks; ++b) {
        const int32_t* const acc = sums.acc + b * sums.block_stride + i * sums.stride + j;
        for (size_t c = 0; c < columns; ++c) wide[c] += acc[c];
      }
      each_.Finish(wide, columns, column + static_cast<int64_t>(j), y + j);
    }
  }
}

}  // namespace micrort
