#include "converter/quantize/gptq.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "converter/quantize/cholesky_factor.h"

namespace micrort::quantize {
namespace {

constexpr int kDescentRounds = 2;  // of descent; fewer where no weight moves any more
// Added to every input's variance, times the mean of these: what a few samples did not show may still come.
constexpr float kDamping = 0.01f;

// What is known of the inputs of one block: E[x x^T] = covariance + mean * mean^T.
struct BlockStatistics {
  size_t first, n;
  std::vector<float> covariance;  // [n][n]
  std::vector<float> mean;
};

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

void AddScaled(float factor, const float* x, size_t n, float* sum) {
  for (size_t i = 0; i < n; ++i) sum[i] += factor * x[i];
}

// covariance * errors.
std::vector<float> Gradient(const BlockStatistics& s, const std::vector<float>& errors) {
  std::vector<float> gradient(s.n);
  for (size_t i = 0; i < s.n; ++i) {
    if (errors[i] != 0.0f) AddScaled(errors[i], &s.covariance[i * s.n], s.n, gradient.data());
  }
  return gradient;
}

template <typename F>  // F(set, channel)
void ForEachChannel(const RoundedLayer& rounded, const observe::InputMoments& moments, F f) {
  const size_t in_set = rounded.channels / moments.sets;
  for (size_t c = 0; c < rounded.channels; ++c) f(c / in_set, c);
}

// The order of a block's weights, and the factor of its second moments in this order: the squared error is
// the sum over i of (sum over j <= i of factor[j][i] * error[j])^2, and its first factor is 0 for the best
// error[i], given those before.
struct BlockFactor {
  std::vector<size_t> order;
  std::vector<float> rows;   // [n][n] of the upper triangular factor
  std::vector<float> means;  // what a mean error of 1 from other blocks adds to the i-th sum
};

// Empty if the moments are no numbers.
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

// Rounds a channel's weights in turn. `mean_error`: of the blocks before; this one's is added.
void RoundInTurn(const RoundedLayer& rounded, const BlockStatistics& s, const BlockFactor& f, size_t channel,
                 double* mean_error) {
  std::vector<float> sums(s.n);
  AddScaled(static_cast<float>(*mean_error), f.means.data(), s.n, sums.data());
  for (size_t i = 0; i < s.n; ++i) {
    const size_t k = s.first + f.order[i], at = channel * rounded.depth + k;
    const float* row = &f.rows[i * s.n];
    if (rounded.weights[at] != 0.0f) {
      const double wanted = static_cast<double>(rounded.weights[at]) - static_cast<double>(sums[i] / row[i]);
      const double q = std::nearbyint(wanted / rounded.scale(channel, k));
      if (std::isfinite(q))
        rounded.quantized[at] = static_cast<int8_t>(std::clamp<double>(q, rounded.lowest, rounded.highest));
    }
    const double error = rounded.error(channel, k);
    AddScaled(static_cast<float>(error), row + i, s.n - i, &sums[i]);
    *mean_error += error * static_cast<double>(s.mean[f.order[i]]);
  }
}

// One channel's weights within one block. `mean_error` is the channel's, over all blocks.
class BlockDescent {
 public:
  BlockDescent(const RoundedLayer& rounded, const BlockStatistics& s, size_t channel, double* mean_error)
      : rounded_(rounded), s_(s), channel_(channel), mean_error_(*mean_error) {
    std::vector<float> errors(s.n);
    for (size_t i = 0; i < s.n; ++i) errors[i] = static_cast<float>(rounded.error(channel, s.first + i));
    gradient_ = Gradient(s, errors);
  }

  void Descend() {
    for (int round = 0; round < kDescentRounds; ++round) {
      bool moved = false;
      for (size_t i = 0; i < s_.n; ++i) moved |= Move(i);
      if (!moved) return;
    }
  }

 private:
  bool Move(size_t i) {
    const size_t k = s_.first + i, at = channel_ * rounded_.depth + k;
    if (rounded_.weights[at] == 0.0f) return false;
    const double mean = static_cast<double>(s_.mean[i]);
    const double slope = static_cast<double>(gradient_[i]) + mean * mean_error_;
    const double curvature = static_cast<double>(s_.covariance[i * s_.n + i]) + mean * mean;
    if (!(curvature > 0.0)) return false;
    const double scale = rounded_.scale(channel_, k);
    int8_t& q = rounded_.quantized[at];
    const double best = std::nearbyint(q - slope / (curvature * scale));
    if (!std::isfinite(best)) return false;
    const auto target = static_cast<int>(std::clamp<double>(best, rounded_.lowest, rounded_.highest));
    if (target == q) return false;
    const double change = (target - q) * scale;
    AddScaled(static_cast<float>(change), &s_.covariance[i * s_.n], s_.n, gradient_.data());
    mean_error_ += mean * change;
    q = static_cast<int8_t>(target);
    return true;
  }

  const RoundedLayer& rounded_;
  const BlockStatistics& s_;
  const size_t channel_;
  double& mean_error_;
  std::vector<float> gradient_;
};

// x^T covariance x
double Power(const BlockStatistics& s, const std::vector<float>& x) {
  const std::vector<float> product = Gradient(s, x);
  double sum = 0.0;
  for (size_t i = 0; i < s.n; ++i) sum += static_cast<double>(product[i]) * static_cast<double>(x[i]);
  return sum;
}

}  // namespace

std::vector<double> MeanErrors(const RoundedLayer& rounded, const observe::InputMoments& moments) {
  std::vector<double> errors(rounded.channels);
  ForEachChannel(rounded, moments, [&](size_t set, size_t c) {
    for (size_t k = 0; k < rounded.depth; ++k) errors[c] += rounded.error(c, k) * moments.mean(set, k);
  });
  return errors;
}

void RoundByMoments(const RoundedLayer& rounded, const observe::InputMoments& moments) {
  const size_t in_set = rounded.channels / moments.sets;
  const auto for_each_block = [&](const auto& round) {
    for (size_t set = 0; set < moments.sets; ++set) {
      for (size_t block = 0; block < moments.blocks; ++block)
        round(StatisticsOf(moments, set, block, kDamping), set * in_set, (set + 1) * in_set);
    }
  };
  std::vector<double> mean_errors(rounded.channels);
  for_each_block([&](const BlockStatistics& s, size_t first, size_t last) {
    const BlockFactor factor = FactorOf(s);
    for (size_t c = first; c < last && !factor.rows.empty(); ++c)
      RoundInTurn(rounded, s, factor, c, &mean_errors[c]);
  });
  mean_errors = MeanErrors(rounded, moments);
  for_each_block([&](const BlockStatistics& s, size_t first, size_t last) {
    for (size_t c = first; c < last; ++c) BlockDescent(rounded, s, c, &mean_errors[c]).Descend();
  });
}

double NoiseOverSignal(const RoundedLayer& rounded, const observe::InputMoments& moments) {
  double noise = 0.0, signal = 0.0;
  const size_t in_set = rounded.channels / moments.sets;
  for (const double error : MeanErrors(rounded, moments)) noise += error * error;
  ForEachChannel(rounded, moments, [&](size_t set, size_t c) {
    double mean = 0.0;
    for (size_t k = 0; k < rounded.depth; ++k)
      mean += static_cast<double>(rounded.weights[c * rounded.depth + k]) * moments.mean(set, k);
    signal += mean * mean;
  });
  for (size_t set = 0; set < moments.sets; ++set) {
    for (size_t block = 0; block < moments.blocks; ++block) {
      const BlockStatistics s = StatisticsOf(moments, set, block, 0.0f);
      std::vector<float> errors(s.n), weights(s.n);
      for (size_t c = set * in_set; c < (set + 1) * in_set; ++c) {
        for (size_t i = 0; i < s.n; ++i) {
          errors[i] = static_cast<float>(rounded.error(c, s.first + i));
          weights[i] = rounded.weights[c * rounded.depth + s.first + i];
        }
        noise += Power(s, errors);
        signal += Power(s, weights);
      }
    }
  }
  return signal > 0.0 ? noise / signal : 0.0;
}

}  // namespace micrort::quantize
