#include "kernels/winograd/winograd_weights.h"

#include "kernels/conv2d/read_weight.h"
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

}  // namespace

void PackWinogradWeights(const Conv2DParams& p, const ConvWeights& weights, int m, size_t nr, float* out) {
  const double(*g)[kWinogradTaps] = m == 2 ? kG2 : kG4;
  const int size = m + kWinogradTaps - 1;
  const auto channels = static_cast<size_t>(p.in_c), columns = static_cast<size_t>(p.out_c);
  const size_t padded = (columns + nr - 1) / nr * nr;
  for (size_t column = 0; column < padded; ++column) {
    for (size_t c = 0; c < channels; ++c) {
      double filter[kWinogradTaps][kWinogradTaps] = {};
      for (size_t k = 0; k < 9 && column < columns; ++k) {
        filter[k / 3][k % 3] = static_cast<double>(
            ReadWeight(p, weights, static_cast<int64_t>(column), static_cast<int64_t>(k * channels + c)));
      }
      float* at = out + (column / nr * channels + c) * nr + column % nr;
      for (int i = 0; i < size; ++i) {
        double row[kWinogradTaps] = {};
        for (int t = 0; t < 9; ++t) row[t % 3] += g[i][t / 3] * filter[t / 3][t % 3];
        for (int j = 0; j < size; ++j, at += padded * channels) {
          *at = static_cast<float>(g[j][0] * row[0] + g[j][1] * row[1] + g[j][2] * row[2]);
        }
      }
    }
  }
}

}  // namespace micrort
