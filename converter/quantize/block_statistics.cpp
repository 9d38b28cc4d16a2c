#include "converter/quantize/block_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "converter/quantize/cholesky_factor.h"

namespace micrort::quantize {

BlockStatistics StatisticsOf(const observe::InputMoments& m, size_t set, size_t block, float damping) {
  const size_t first = block * m.block, n = std::min(m.block, m.depth - first);
  BlockStatistics s = {first, n, std::vector<float>(n * n), std::vector<float>(n)};
  for (size_t i = 0; i < n; ++i) s.mean[i] = static_cast<float>(m.mean(set, first + i));
  const float* products = m.products_of(set, block);
  double power = 0.0;
  for (size_t i = 0; i < n; ++i) {
    power += static_cast<double>(products[i * m.block + i]) / m.rows;
    for (size_t j = i; j < n; ++j) {
      const double moment = static_cast<double>(products[i * m.block + j]) / m.rows;
      const auto covariance = static_cast<float>(moment - m.mean(set, first + i) * m.mean(set, first + j));
      s.covariance[i * n + j] = s.covariance[j * n + i] = covariance;
    }
  }
  const auto more = static_cast<float>(damping * power / static_cast<double>(n));
  for (size_t i = 0; i < n; ++i) s.covariance[i * n + i] = std::max(s.covariance[i * n + i], 0.0f) + more;
  return s;
}

BlockFactor FactorOf(const BlockStatistics& s) {
  BlockFactor f;
  f.order.resize(s.n);
  std::iota(f.order.begin(), f.order.end(), size_t{0});
  const auto power = [&](size_t i) { return s.covariance[i * s.n + i] + s.mean[i] * s.mean[i]; };
  std::stable_sort(f.order.begin(), f.order.end(), [&](size_t a, size_t b) { return power(a) > power(b); });
  std::vector<double> moments(s.n * s.n), means(s.n);
  for (size_t i = 0; i < s.n; ++i) {
    const size_t a = f.order[i];
    means[i] = static_cast<double>(s.mean[a]);
    for (size_t j = 0; j < s.n; ++j) {
      const size_t b = f.order[j];
      moments[i * s.n + j] = static_cast<double>(s.covariance[a * s.n + b]) +
                             static_cast<double>(s.mean[a]) * static_cast<double>(s.mean[b]);
    }
  }
  if (!FactorCholesky(s.n, &moments)) return {};
  f.rows.assign(moments.begin(), moments.end());
  const std::vector<double> solved = SolveUpper(s.n, moments, std::move(means));
  f.means.assign(solved.begin(), solved.end());
  return f;
}

}  // namespace micrort::quantize
