#include "converter/quantize/gptq.h"

#include <algorithm>
#include <cmath>

#include "converter/quantize/block_statistics.h"
#include "converter/quantize/channel_products.h"
#include "converter/quantize/round_even.h"
#include "converter/threads/each_range.h"

namespace micrort::quantize {
namespace {

constexpr int kDescentRounds = 2;  // of descent; fewer where no weight moves any more
// Added to every input's variance, times the mean of these: what a few samples did not show may still come.
constexpr float kDamping = 0.01f;
// So many weights are rounded before their errors are added to the sums of those that follow.
constexpr size_t kRoundedAtOnce = 32;

void AddScaled(float factor, const float* x, size_t n, float* sum) {
  for (size_t i = 0; i < n; ++i) sum[i] += factor * x[i];
}

template <typename F>  // F(set, channel)
void ForEachChannel(const RoundedLayer& rounded, const observe::InputMoments& moments, F f) {
  const size_t in_set = rounded.channels / moments.sets;
  for (size_t c = 0; c < rounded.channels; ++c) f(c / in_set, c);
}

// Neighbouring channels, whose weights within one block are worked on together.
struct ChannelGroup {
  size_t first, count;  // 1 to kChannelsAtOnce
};

// Calls f(group) for groups that make up [first, last), several at a time.
template <typename F>
void ForEachGroup(size_t first, size_t last, size_t n, F f) {
  const size_t groups = (last - first + kChannelsAtOnce - 1) / kChannelsAtOnce;
  threads::ForEachRange(groups, static_cast<int64_t>(kChannelsAtOnce * n * n), [&](size_t begin, size_t end) {
    for (size_t g = begin; g < end; ++g) {
      const size_t channel = first + g * kChannelsAtOnce;
      f(ChannelGroup{channel, std::min(kChannelsAtOnce, last - channel)});
    }
  });
}

// Rounds weights of a group in turn. `mean_errors`: of each channel in the blocks before; this one's are
// added.
class TurnRounding {
 public:
  TurnRounding(const RoundedLayer& rounded, const BlockStatistics& s, const BlockFactor& f,
               const ChannelGroup& group, double* mean_errors)
      : rounded_(rounded),
        s_(s),
        f_(f),
        group_(group),
        mean_errors_(mean_errors),
        sums_(kChannelsAtOnce * s.n),
        errors_(kChannelsAtOnce * s.n) {
    for (size_t c = 0; c < group.count; ++c)
      AddScaled(static_cast<float>(mean_errors_[group.first + c]), f.means.data(), s.n, &sums_[c * s.n]);
  }

  void Run() {
    for (size_t begin = 0; begin < s_.n; begin += kRoundedAtOnce) {
      const size_t end = std::min(begin + kRoundedAtOnce, s_.n);
      for (size_t i = begin; i < end; ++i) {
        for (size_t c = 0; c < group_.count; ++c) RoundOne(c, i, end);
      }
      AddChannelProducts(&errors_[begin], &f_.rows[begin * s_.n + end], s_.n, end - begin, s_.n - end, s_.n,
                         &sums_[end]);
    }
  }

 private:
  // Adds the error to the sums of weights before `end`.
  void RoundOne(size_t c, size_t i, size_t end) {
    const size_t channel = group_.first + c;
    const size_t k = s_.first + f_.order[i], at = channel * rounded_.depth + k;
    const float* row = &f_.rows[i * s_.n];
    float* sums = &sums_[c * s_.n];
    if (rounded_.weights[at] != 0.0f) {
      const double wanted = static_cast<double>(rounded_.weights[at]) - static_cast<double>(sums[i] / row[i]);
      const double q = RoundEven(wanted / rounded_.scale(channel, k));
      if (std::isfinite(q))
        rounded_.quantized[at] =
            static_cast<int8_t>(std::clamp<double>(q, rounded_.lowest, rounded_.highest));
    }
    const double error = rounded_.error(channel, k);
    const auto narrow = static_cast<float>(error);
    AddScaled(narrow, row + i, end - i, &sums[i]);
    errors_[c * s_.n + i] = narrow;
    mean_errors_[channel] += error * static_cast<double>(s_.mean[f_.order[i]]);
  }

  const RoundedLayer& rounded_;
  const BlockStatistics& s_;
  const BlockFactor& f_;
  const ChannelGroup group_;
  double* const mean_errors_;
  std::vector<float> sums_, errors_;  // [kChannelsAtOnce][n]
};

// One channel's weights within one block. `gradient` is covariance * errors; `mean_error` is the channel's,
// over all blocks.
class BlockDescent {
 public:
  BlockDescent(const RoundedLayer& rounded, const BlockStatistics& s, size_t channel, float* gradient,
               double* mean_error)
      : rounded_(rounded), s_(s), channel_(channel), gradient_(gradient), mean_error_(*mean_error) {}

  void Descend() {
    for (int round = 0; round < kDescentRounds; ++round) {
      bool moved = false;
      for (size_t i = 0; i < s_.n; ++i) moved |= Move(i);
      if (!moved) return;
    }
  }

 private:
  bool Move(size_t i) {
    const size_t k = s_.first + i;
    const double mean = static_cast<double>(s_.mean[i]);
    const double slope = static_cast<double>(gradient_[i]) + mean * mean_error_;
    const double curvature = static_cast<double>(s_.covariance[i * s_.n + i]) + mean * mean;
    const double scale = rounded_.scale(channel_, k);
    // Less than half a step: most weights stay, and need no division to know it.
    if (std::fabs(slope) < 0.499 * (curvature * scale)) return false;
    return MoveTo(i, channel_ * rounded_.depth + k, slope, curvature, scale);
  }

  bool MoveTo(size_t i, size_t at, double slope, double curvature, double scale) {
    if (rounded_.weights[at] == 0.0f || !(curvature > 0.0)) return false;
    int8_t& q = rounded_.quantized[at];
    const double best = RoundEven(q - slope / (curvature * scale));
    if (!std::isfinite(best)) return false;
    const auto target = static_cast<int>(std::clamp<double>(best, rounded_.lowest, rounded_.highest));
    if (target == q) return false;
    const double change = (target - q) * scale;
    AddScaled(static_cast<float>(change), &s_.covariance[i * s_.n], s_.n, gradient_);
    mean_error_ += static_cast<double>(s_.mean[i]) * change;
    q = static_cast<int8_t>(target);
    return true;
  }

  const RoundedLayer& rounded_;
  const BlockStatistics& s_;
  const size_t channel_;
  float* const gradient_;
  double& mean_error_;
};

// For a group's channels, covariance * x, where value(channel, k) is x.
class CovarianceProducts {
 public:
  template <typename F>
  CovarianceProducts(const BlockStatistics& s, const ChannelGroup& group, F value)
      : n_(s.n), x_(kChannelsAtOnce * s.n), products_(x_.size()) {
    for (size_t c = 0; c < group.count; ++c) {
      for (size_t i = 0; i < s.n; ++i)
        x_[c * n_ + i] = static_cast<float>(value(group.first + c, s.first + i));
    }
    AddChannelProducts(x_.data(), s.covariance.data(), n_, n_, n_, n_, products_.data());
  }

  float* of(size_t c) { return &products_[c * n_]; }
  // x^T covariance x
  double Power(size_t c) const {
    double sum = 0.0;
    for (size_t i = c * n_; i < (c + 1) * n_; ++i)
      sum += static_cast<double>(products_[i]) * static_cast<double>(x_[i]);
    return sum;
  }

 private:
  const size_t n_;
  std::vector<float> x_, products_;
};

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
    if (factor.rows.empty()) return;
    ForEachGroup(first, last, s.n, [&](const ChannelGroup& group) {
      TurnRounding(rounded, s, factor, group, mean_errors.data()).Run();
    });
  });
  mean_errors = MeanErrors(rounded, moments);
  for_each_block([&](const BlockStatistics& s, size_t first, size_t last) {
    ForEachGroup(first, last, s.n, [&](const ChannelGroup& group) {
      CovarianceProducts gradients(s, group, [&](size_t c, size_t k) { return rounded.error(c, k); });
      for (size_t c = 0; c < group.count; ++c) {
        const size_t channel = group.first + c;
        BlockDescent(rounded, s, channel, gradients.of(c), &mean_errors[channel]).Descend();
      }
    });
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
  std::vector<double> noises(rounded.channels), signals(rounded.channels);
  const auto weight = [&](size_t c, size_t k) { return rounded.weights[c * rounded.depth + k]; };
  for (size_t set = 0; set < moments.sets; ++set) {
    for (size_t block = 0; block < moments.blocks; ++block) {
      const BlockStatistics s = StatisticsOf(moments, set, block, 0.0f);
      ForEachGroup(set * in_set, (set + 1) * in_set, s.n, [&](const ChannelGroup& group) {
        const CovarianceProducts errors(s, group, [&](size_t c, size_t k) { return rounded.error(c, k); });
        const CovarianceProducts weights(s, group, weight);
        for (size_t c = 0; c < group.count; ++c) {
          noises[group.first + c] = errors.Power(c);
          signals[group.first + c] = weights.Power(c);
        }
      });
      for (size_t c = set * in_set; c < (set + 1) * in_set; ++c) {
        noise += noises[c];
        signal += signals[c];
      }
    }
  }
  return signal > 0.0 ? noise / signal : 0.0;
}

}  // namespace micrort::quantize
