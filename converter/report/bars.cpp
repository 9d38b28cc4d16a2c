#include "converter/report/bars.h"

#include <algorithm>
#include <cmath>

namespace micrort::report {

Bars BarsOf(const observe::Histogram& histogram) {
  Bars bars;
  if (histogram.empty()) return bars;
  const std::vector<uint64_t>& counts = histogram.counts();
  size_t first = 0, last = counts.size() - 1;
  while (counts[first] == 0) ++first;
  while (counts[last] == 0) --last;
  bars.low = histogram.edge(static_cast<int64_t>(first));
  bars.high = histogram.edge(static_cast<int64_t>(last) + 1);
  bars.counts.resize(Bars::kCount);
  const size_t bins = last - first + 1;
  for (size_t i = 0; i < bins; ++i) bars.counts[i * Bars::kCount / bins] += counts[first + i];
  return bars;
}

Bars BarsOf(const float* x, size_t n) {
  float min = 0.0f, max = 0.0f;
  for (size_t i = 0; i < n; ++i) {
    if (!std::isfinite(x[i])) return {};
    min = std::min(min, x[i]);
    max = std::max(max, x[i]);
  }
  observe::Histogram histogram;
  histogram.Add(x, n, min, max);
  return BarsOf(histogram);
}

}  // namespace micrort::report
