#include "converter/observe/clip_range.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace micrort::observe {
namespace {

constexpr int kLevels = 256;

// The best of the ranges whose ends are fractions of the whole range's. Equal costs: the wider one.
Range BestOf(const Range& all, int fractions, const std::function<double(double min, double max)>& cost) {
  Range best = all;
  double least = cost(all.min, all.max);
  const auto try_range = [&](int i, int j) {
    const double min = static_cast<double>(all.min) * i / fractions;
    const double max = static_cast<double>(all.max) * j / fractions;
    const double c = cost(min, max);
    if (c >= least) return;
    least = c;
    best = {static_cast<float>(min), static_cast<float>(max), all.finite};
  };
  // An end that is 0 has nothing to shrink.
  for (int i = fractions; i > 0; i = all.min < 0.0f ? i - 1 : 0) {
    for (int j = fractions; j > 0; j = all.max > 0.0f ? j - 1 : 0) try_range(i, j);
  }
  return best;
}

// Counts, sums and sums of squares of the values under every edge, to tell them for an interval at once.
class Moments {
 public:
  explicit Moments(const Histogram& h) : h_(h), sums_(h.counts().size() + 1) {
    for (size_t i = 0; i < h.counts().size(); ++i) {
      const double n = static_cast<double>(h.counts()[i]), x = h.center(static_cast<int64_t>(i));
      sums_[i + 1] = {sums_[i].n + n, sums_[i].x + n * x, sums_[i].xx + n * x * x};
    }
  }

  double CountBetween(double min, double max) const { return At(max).n - At(min).n; }
  // Sum of (x - limit)^2 over the values below, or from `limit` on.
  double SquaresBelow(double limit) const { return Squares({}, At(limit), limit); }
  double SquaresAbove(double limit) const { return Squares(At(limit), sums_.back(), limit); }

 private:
  struct Sums {
    double n = 0.0, x = 0.0, xx = 0.0;
  };

  const Sums& At(double limit) const {
    const double bin = std::nearbyint((limit - h_.edge(0)) / h_.width());
    return sums_[static_cast<size_t>(std::clamp(bin, 0.0, static_cast<double>(sums_.size() - 1)))];
  }
  static double Squares(const Sums& from, const Sums& to, double limit) {
    return (to.xx - from.xx) - 2 * limit * (to.x - from.x) + limit * limit * (to.n - from.n);
  }

  const Histogram& h_;
  std::vector<Sums> sums_;
};

// Divergence of the distribution that the levels of [min, max] can show from the one with clipped values at
// the ends.
class Divergence {
 public:
  explicit Divergence(const Histogram& h) : h_(h) {}

  double Of(double min, double max) {
    std::fill(std::begin(levels_), std::end(levels_), Level{});
    const double per_step = (kLevels - 1) / (max - min);
    double below = 0.0, above = 0.0;
    const auto bins = static_cast<int64_t>(h_.counts().size());
    int64_t first = bins, last = -1;
    for (int64_t i = 0; i < bins; ++i) {
      const double n = static_cast<double>(h_.counts()[static_cast<size_t>(i)]);
      if (n == 0.0) continue;
      const double x = h_.center(i);
      if (x < min) {
        below += n;
      } else if (x > max) {
        above += n;
      } else {
        Level& level = levels_[LevelOf(x, min, per_step)];
        level.n += n;
        level.bins += 1.0;
        first = std::min(first, i);
        last = i;
      }
    }
    return last < 0 ? HUGE_VAL : Sum(min, per_step, first, last, below, above);
  }

 private:
  struct Level {
    double n = 0.0, bins = 0.0;
  };

  static size_t LevelOf(double x, double min, double per_step) {
    return static_cast<size_t>((x - min) * per_step + 0.5);
  }

  double Sum(double min, double per_step, int64_t first, int64_t last, double below, double above) const {
    const double total = static_cast<double>(h_.total()), inside = total - below - above;
    double sum = 0.0;
    for (int64_t i = first; i <= last; ++i) {
      double n = static_cast<double>(h_.counts()[static_cast<size_t>(i)]);
      if (n == 0.0) continue;
      const Level& level = levels_[LevelOf(h_.center(i), min, per_step)];
      const double shown = level.n / level.bins / inside;
      n += (i == first ? below : 0.0) + (i == last ? above : 0.0);
      sum += n / total * std::log(n / total / shown);
    }
    return sum;
  }

  const Histogram& h_;
  Level levels_[kLevels];
};

// This share of the values is cut off at either end.
constexpr double kCutShare = 1e-4;

}  // namespace

Range PercentileRange(const Histogram& histogram, const Range& all) {
  if (histogram.empty()) return all;
  const double cut = static_cast<double>(histogram.total()) * kCutShare;
  const auto bins = static_cast<int64_t>(histogram.counts().size());
  int64_t low = 0, high = bins - 1;
  double seen = 0.0;
  while (low < high && (seen += static_cast<double>(histogram.counts()[static_cast<size_t>(low)])) <= cut)
    ++low;
  seen = 0.0;
  while (high > low && (seen += static_cast<double>(histogram.counts()[static_cast<size_t>(high)])) <= cut)
    --high;
  return {std::min(0.0f, std::max(all.min, static_cast<float>(histogram.edge(low)))),
          std::max(0.0f, std::min(all.max, static_cast<float>(histogram.edge(high + 1)))), all.finite};
}

Range LeastSquaresRange(const Histogram& histogram, const Range& all) {
  if (histogram.empty()) return all;
  const Moments moments(histogram);
  return BestOf(all, 100, [&](double min, double max) {
    const double step = (max - min) / (kLevels - 1);
    return step * step / 12 * moments.CountBetween(min, max) + moments.SquaresBelow(min) +
           moments.SquaresAbove(max);
  });
}

Range LeastDivergenceRange(const Histogram& histogram, const Range& all) {
  if (histogram.empty()) return all;
  Divergence divergence(histogram);
  return BestOf(all, 32, [&](double min, double max) { return divergence.Of(min, max); });
}

}  // namespace micrort::observe
