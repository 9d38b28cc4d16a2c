#pragma once
// What the moments of a layer's inputs say of one block of its weights.

#include <cstddef>
#include <vector>

#include "converter/observe/moments.h"

namespace micrort::quantize {

// E[x x^T] = covariance + mean * mean^T.
struct BlockStatistics {
  size_t first, n;
  std::vector<float> covariance;  // [n][n]
  std::vector<float> mean;
};

// `damping` of the inputs' mean variance is added to each.
BlockStatistics StatisticsOf(const observe::InputMoments& m, size_t set, size_t block, float damping);

// The order of a block's weights, and the factor of its second moments in this order: the squared error is
// the sum over i of (sum over j <= i of factor[j][i] * error[j])^2, and its first factor is 0 for the best
// error[i], given those before.
struct BlockFactor {
  std::vector<size_t> order;
  std::vector<float> rows;   // [n][n] of the upper triangular factor
  std::vector<float> means;  // what a mean error of 1 from other blocks adds to the i-th sum
};

// Empty if the moments are no numbers.
BlockFactor FactorOf(const BlockStatistics& s);

}  // namespace micrort::quantize
