#include "converter/quantize/balanced_rounding.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace micrort::quantize {
namespace {

// In steps.
double ErrorOf(float weight, float scale, int8_t q) {
  return q - static_cast<double>(weight) / static_cast<double>(scale);
}

}  // namespace

void BalanceErrors(const float* weights, size_t n, float scale, int lowest, int highest, int8_t* quantized) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += ErrorOf(weights[i], scale, quantized[i]);
  const int step = sum > 0.0 ? -1 : 1;
  const auto moves = static_cast<size_t>(std::min(std::nearbyint(std::fabs(sum)), static_cast<double>(n)));
  struct Candidate {
    double error;  // towards the sum
    size_t i;
  };
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < n; ++i) {
    const double error = -step * ErrorOf(weights[i], scale, quantized[i]);
    const int moved = quantized[i] + step;
    // Others would get farther from their weight than a whole step is from it; zeros stay zeros.
    if (error > 0.0 && weights[i] != 0.0f && moved >= lowest && moved <= highest)
      candidates.push_back({error, i});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.error > b.error; });
  for (size_t m = 0; m < std::min(moves, candidates.size()); ++m) {
    int8_t& q = quantized[candidates[m].i];
    q = static_cast<int8_t>(q + step);
  }
}

}  // namespace micrort::quantize
