#include "converter/quantize/balanced_rounding.h"

#include <algorithm>
#include <vector>

namespace micrort::quantize {
namespace {

double ScaleOf(const RoundedWeights& w, size_t i) { return static_cast<double>(w.scales[i / w.group]); }

// In steps.
double ErrorOf(const RoundedWeights& w, size_t i) {
  return w.quantized[i] - static_cast<double>(w.weights[i]) / ScaleOf(w, i);
}

}  // namespace

void BalanceErrors(const RoundedWeights& w) {
  double sum = 0.0;
  for (size_t i = 0; i < w.n; ++i) sum += ErrorOf(w, i) * ScaleOf(w, i);
  const int step = sum > 0.0 ? -1 : 1;
  struct Candidate {
    double error;  // towards the sum
    size_t i;
  };
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < w.n; ++i) {
    const double error = -step * ErrorOf(w, i);
    const int moved = w.quantized[i] + step;
    // Others would get farther from their weight than a whole step is from it; zeros stay zeros.
    if (error > 0.0 && w.weights[i] != 0.0f && moved >= w.lowest && moved <= w.highest)
      candidates.push_back({error, i});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.error > b.error; });
  for (const Candidate& candidate : candidates) {
    const double scale = ScaleOf(w, candidate.i);
    if (-step * sum <= scale / 2) continue;
    int8_t& q = w.quantized[candidate.i];
    q = static_cast<int8_t>(q + step);
    sum += step * scale;
  }
}

}  // namespace micrort::quantize
