#include "kernels/winograd/winograd_weights.h"

#include <cstring>
#include <type_traits>

#include "kernels/base/part.h"
#include "kernels/conv/read_weight.h"
#include "kernels/copy/transpose_tile.h"
#include "kernels/elementwise/convert_f32.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/winograd/winograd_transform.h"

namespace micrort {

// Of weights that become halves, whose algorithm refers to it, too.
MICRORT_PART(SelectConvertF32);

namespace {

// Columns that are transformed side by side.
constexpr size_t kColumns = 8;
using Columns = double[kColumns];

// Those of a panel are written together, because their points are far apart.
constexpr size_t kMaxPanel = 64;
#define MICRORT_GEMM_F32(name, set, mr, nr, ...) static_assert(nr % kColumns == 0 && nr <= kMaxPanel, #name);
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
#define MICRORT_GEMM_F16(name, set, mr, nr, ...) static_assert(nr % kColumns == 0 && nr <= kMaxPanel, #name);
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16

// G times the vector x[0], x[step], x[2 * step], for the points that the transforms of inputs and products
// use, as far apart. A point and its negative share the even and the odd part of their sums. The steps are
// compile-time constants, so that compilers see that no result lies over another. Results are doubles, or
// floats in the columns of a panel from `first` on.
template <size_t step, typename Row>
void Apply2(const Columns* __restrict x, Row* __restrict out, size_t first) {
  using T = std::remove_extent_t<Row>;
  for (size_t j = 0; j < kColumns; ++j) {
    const double x0 = x[0][j], x1 = x[step][j], x2 = x[2 * step][j];
    const double even = 0.5 * (x0 + x2), odd = 0.5 * x1;
    out[0][first + j] = static_cast<T>(x0);
    out[step][first + j] = static_cast<T>(even + odd);
    out[2 * step][first + j] = static_cast<T>(even - odd);
    out[3 * step][first + j] = static_cast<T>(x2);
  }
}

template <size_t step, typename Row>
void Apply4(const Columns* __restrict x, Row* __restrict out, size_t first) {
  using T = std::remove_extent_t<Row>;
  for (size_t j = 0; j < kColumns; ++j) {
    const double x0 = x[0][j], x1 = x[step][j], x2 = x[2 * step][j];
    const double even1 = (x0 + x2) * (-1.0 / 6), odd1 = x1 * (-1.0 / 6);
    const double even2 = x0 * (1.0 / 24) + x2 * (1.0 / 6), odd2 = x1 * (1.0 / 12);
    out[0][first + j] = static_cast<T>(x0 * 0.25);
    out[step][first + j] = static_cast<T>(even1 + odd1);
    out[2 * step][first + j] = static_cast<T>(even1 - odd1);
    out[3 * step][first + j] = static_cast<T>(even2 + odd2);
    out[4 * step][first + j] = static_cast<T>(even2 - odd2);
    out[5 * step][first + j] = static_cast<T>(x2);
  }
}

template <size_t step, typename Row>
void Apply6(const Columns* __restrict x, Row* __restrict out, size_t first) {
  using T = std::remove_extent_t<Row>;
  for (size_t j = 0; j < kColumns; ++j) {
    const double x0 = x[0][j], x1 = x[step][j], x2 = x[2 * step][j];
    const double even1 = (x0 + x2) * (-2.0 / 9), odd1 = x1 * (-2.0 / 9);
    const double even2 = x0 * (1.0 / 90) + x2 * (4.0 / 90), odd2 = x1 * (2.0 / 90);
    const double even3 = x0 * (1.0 / 45) + x2 * (1.0 / 180), odd3 = x1 * (1.0 / 90);
    out[0][first + j] = static_cast<T>(x0);
    out[step][first + j] = static_cast<T>(even1 + odd1);
    out[2 * step][first + j] = static_cast<T>(even1 - odd1);
    out[3 * step][first + j] = static_cast<T>(even2 + odd2);
    out[4 * step][first + j] = static_cast<T>(even2 - odd2);
    out[5 * step][first + j] = static_cast<T>(even3 + odd3);
    out[6 * step][first + j] = static_cast<T>(even3 - odd3);
    out[7 * step][first + j] = static_cast<T>(x2);
  }
}

constexpr size_t kTaps = kWinogradTaps, kFilter = kTaps * kTaps;

size_t PointsAlongRow(int m) { return static_cast<size_t>(m == 1 ? 2 : m) + kTaps - 1; }

// Channels that are read together: taps and columns are so far apart that a cache keeps few of their lines.
constexpr size_t kChannels = 8;
using ChannelBlock = float[kFilter][kChannels][kMaxPanel];

// The filters of columns [first, first + nr) for some channels, from one on.
class FilterReader {
 public:
  FilterReader(const Conv2DParams& p, const ConvWeights& weights, size_t nr)
      // For the CPU that packs, which need not be the one that computes.
      : kernel_(*SelectTransposeTile(sizeof(float), DetectCpuFeatures())), p_(p), weights_(weights), nr_(nr) {
    whole_columns_ = p.types.weights == DType::kFloat32 && weights.depth_stride == 1;
  }

  void Read(size_t first, size_t channel, size_t count, ChannelBlock& block) const {
    const bool full_panel = first + nr_ <= static_cast<size_t>(p_.out_c);
    if (whole_columns_ && full_panel && count == kChannels) return Transpose(first, channel, block);
    for (size_t k = 0; k < kFilter; ++k) {
      const auto at = static_cast<int64_t>(k) * p_.in_c + static_cast<int64_t>(channel);
      for (size_t j = 0; j < nr_; ++j) {
        const auto column = static_cast<int64_t>(first + j);
        for (size_t c = 0; c < count; ++c) {
          block[k][c][j] =
              column < p_.out_c ? ReadWeight(p_, weights_, column, at + static_cast<int64_t>(c)) : 0.0f;
        }
      }
    }
  }

 private:
  // Floats whose columns lie whole one after the other, a tile at a time.
  void Transpose(size_t first, size_t channel, ChannelBlock& block) const {
    const size_t tile = kernel_.tile;
    const auto stride = static_cast<ptrdiff_t>(weights_.column_stride * static_cast<int64_t>(sizeof(float)));
    const auto* columns = static_cast<const uint8_t*>(weights_.data) + static_cast<ptrdiff_t>(first) * stride;
    for (size_t k = 0; k < kFilter; ++k) {
      const int64_t tap = weights_.taps == nullptr ? static_cast<int64_t>(k) : weights_.taps[k];
      const size_t start = static_cast<size_t>(tap * p_.in_c) + channel;
      for (size_t j = 0; j < nr_; j += tile) {
        for (size_t c = 0; c < kChannels; c += tile) {
          kernel_.run(columns + static_cast<ptrdiff_t>(j) * stride + (start + c) * sizeof(float), stride,
                      reinterpret_cast<uint8_t*>(block[k][c] + j), sizeof block[k][c]);
        }
      }
    }
  }

  const TransposeTileKernel& kernel_;
  const Conv2DParams& p_;
  const ConvWeights& weights_;
  const size_t nr_;
  bool whole_columns_;
};

// G times the filters of one channel times G transposed, for every point and column; with m = 1 the second
// product alone, for every row.
using PanelRow = float[kMaxPanel];
using Points = PanelRow[kMaxWinogradPoints];
void Transform(const ChannelBlock& block, size_t channel, size_t nr, int m, Points& points) {
  const auto apply = m <= 2 ? Apply2<1, PanelRow> : m == 4 ? Apply4<1, PanelRow> : Apply6<1, PanelRow>;
  const auto apply_down = m <= 2   ? Apply2<kTaps, Columns>
                          : m == 4 ? Apply4<kTaps, Columns>
                                   : Apply6<kTaps, Columns>;
  const size_t width = PointsAlongRow(m), height = m == 1 ? kTaps : width;
  Columns filter[kFilter], transformed[kMaxWinogradInput * kTaps];
  const Columns* rows = m == 1 ? filter : transformed;
  for (size_t j = 0; j < nr; j += kColumns) {
    for (size_t k = 0; k < kFilter; ++k) {
      for (size_t l = 0; l < kColumns; ++l) filter[k][l] = static_cast<double>(block[k][channel][j + l]);
    }
    for (size_t t = 0; m > 1 && t < kTaps; ++t) apply_down(filter + t, transformed + t, 0);
    for (size_t i = 0; i < height; ++i) apply(rows + i * kTaps, points + i * width, j);
  }
}

struct FloatRows {
  using Element = float;
  void Write(const PanelRow& row, size_t nr, float* out) const {
    for (size_t j = 0; j < nr; j += kColumns) std::memcpy(out + j, row + j, kColumns * sizeof(float));
  }
};

struct HalfRows {
  using Element = uint16_t;
  const ConvertF32Kernel& convert = SelectConvertF32(DetectCpuFeatures());

  // Four times as large, because transformed inputs are a quarter.
  void Write(const PanelRow& row, size_t nr, uint16_t* out) const {
    PanelRow scaled;
    for (size_t j = 0; j < nr; ++j) scaled[j] = 4 * row[j];
    convert.to_half(scaled, out, nr);
  }
};

template <typename Rows>
void Pack(const Conv2DParams& p, const ConvWeights& weights, int m, size_t nr, const Rows& packed,
          typename Rows::Element* out) {
  const auto channels = static_cast<size_t>(p.in_c), columns = static_cast<size_t>(p.out_c);
  const size_t width = PointsAlongRow(m), height = m == 1 ? kTaps : width;
  // With m = 1 rows are part of the depth of a panel.
  const size_t rows = channels * nr, panel = m == 1 ? kTaps * rows : rows;
  const size_t point_stride = (columns + nr - 1) / nr * panel;
  const size_t row_stride = m == 1 ? rows : width * point_stride;
  const FilterReader reader(p, weights, nr);
  ChannelBlock block;
  Points points;
  for (size_t first = 0; first < columns; first += nr, out += panel - rows) {
    for (size_t channel = 0; channel < channels; channel += kChannels) {
      const size_t count = channels - channel < kChannels ? channels - channel : kChannels;
      reader.Read(first, channel, count, block);
      for (size_t c = 0; c < count; ++c, out += nr) {
        Transform(block, c, nr, m, points);
        for (size_t k = 0; k < height * width; k += width) {
          typename Rows::Element* const row = out + k / width * row_stride;
          for (size_t i = 0; i < width; ++i) packed.Write(points[k + i], nr, row + i * point_stride);
        }
      }
    }
  }
}

}  // namespace

void PackWinogradWeights(const Conv2DParams& p, const ConvWeights& weights, int m, size_t nr, float* out) {
  Pack(p, weights, m, nr, FloatRows(), out);
}

#if MICRORT_KERNELS_fp16
void PackHalfWinogradWeights(const Conv2DParams& p, const ConvWeights& weights, size_t nr, uint16_t* out) {
  Pack(p, weights, 2, nr, HalfRows(), out);
}
#endif

}  // namespace micrort
