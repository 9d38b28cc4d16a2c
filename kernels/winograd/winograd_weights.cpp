#include "kernels/winograd/winograd_weights.h"

#include "kernels/conv2d/read_weight.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/winograd/winograd_f32.h"

namespace micrort {
namespace {

// Rows of G for the points that the transforms of inputs and products use.
constexpr double kG2[][kWinogradTaps] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
constexpr double kG4[][kWinogradTaps] = {{1.0 / 4, 0, 0},
                                         {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                         {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                         {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                         {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                         {0, 0, 1}};

// Columns that are transformed side by side, as many as a panel has.
constexpr size_t kMaxColumns = 32;
#define MICRORT_GEMM_F32(name, features, mr, nr, lanes) static_assert(nr <= kMaxColumns, #name);
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
using Columns = double[kMaxColumns];

// sum = g[0] * x[0] + g[1] * x[1] + g[2] * x[2], x in steps of `step`.
void Combine(const double (&g)[kWinogradTaps], const Columns* x, size_t step, Columns& sum) {
  const Columns &x0 = x[0], &x1 = x[step], &x2 = x[2 * step];
  for (size_t j = 0; j < kMaxColumns; ++j) sum[j] = g[0] * x0[j] + g[1] * x1[j] + g[2] * x2[j];
}

}  // namespace

void PackWinogradWeights(const Conv2DParams& p, const ConvWeights& weights, int m, size_t nr, float* out) {
  const double(*g)[kWinogradTaps] = m == 2 ? kG2 : kG4;
  const int size = m + kWinogradTaps - 1;
  const auto channels = static_cast<size_t>(p.in_c), columns = static_cast<size_t>(p.out_c);
  const size_t point_stride = (columns + nr - 1) / nr * nr * channels;
  for (size_t first = 0; first < columns; first += nr) {
    const size_t exist = columns - first < nr ? columns - first : nr;
    for (size_t c = 0; c < channels; ++c, out += nr) {
      Columns filter[kWinogradTaps * kWinogradTaps] = {};
      for (size_t j = 0; j < exist; ++j) {
        for (size_t k = 0; k < 9; ++k) {
          filter[k][j] = static_cast<double>(ReadWeight(p, weights, static_cast<int64_t>(first + j),
                                                        static_cast<int64_t>(k * channels + c)));
        }
      }
      float* point = out;
      for (int i = 0; i < size; ++i) {
        Columns row[kWinogradTaps];
        for (size_t t = 0; t < kWinogradTaps; ++t) Combine(g[i], filter + t, kWinogradTaps, row[t]);
        for (int j = 0; j < size; ++j, point += point_stride) {
          Columns sum;
          Combine(g[j], row, 1, sum);
          for (size_t k = 0; k < nr; ++k) point[k] = static_cast<float>(sum[k]);
        }
      }
    }
  }
}

}  // namespace micrort
