#include "tools/bench/latency.h"

#include <algorithm>
#include <cmath>

namespace micrort {

Latency Summarize(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  const double n = static_cast<double>(ms.size());
  // Linear interpolation between the two nearest ranks.
  const auto quantile = [&](double q) {
    const double at = q * (n - 1);
    const size_t low = static_cast<size_t>(at), high = std::min(low + 1, ms.size() - 1);
    return ms[low] + (at - static_cast<double>(low)) * (ms[high] - ms[low]);
  };
  Latency latency{ms.front(), quantile(0.5), 0, quantile(0.9), quantile(0.99), ms.back(), 0};
  for (double t : ms) latency.mean += t / n;
  for (double t : ms) latency.stddev += (t - latency.mean) * (t - latency.mean);
  latency.stddev = std::sqrt(latency.stddev / std::max(1.0, n - 1));
  return latency;
}

}  // namespace micrort
