#include "converter/quantize/sample_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>

#include "converter/observe/clip_range.h"
#include "converter/quantize/layer.h"

namespace micrort::quantize {
namespace {

constexpr size_t kFewSamples = 10;
constexpr size_t kNamesShown = 3;
// Training keeps what a layer adds up and its bias (into which the batch statistics were folded) of one
// order: their ratio was 0.5 to 4 on all networks at hand, and over 100 or under 0.05 where pixels were
// scaled wrongly.
constexpr double kLargestRatio = 30.0, kSmallestRatio = 1.0 / 16;
// The first layer's output beside that on the data that the network was trained with. Its deviation was 0.96
// times as large on a dozen pictures of faces where pixels were scaled as in training, 0.5 and 2.1 times
// where they were by other customs (0..1, or a deviation of 1, instead of -1..1). Its means were off by 0.07
// deviations on average, and by 0.66 where pixels were of the right scale and started at 0: only filters that
// do not add up to zero notice. A channel that hardly varied in training may be far off, so each counts as a
// few. Few pictures may be dull.
constexpr double kLeastDeviation = 0.65, kMostDeviation = 1.55, kMostShift = 0.4, kMostOfOneChannel = 2.0;
constexpr size_t kEnoughForStatistics = 4;
constexpr float kFarOutlier = 20.0f;  // times the range of the other 99.99 %

std::string Number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

std::string Names(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kNamesShown); ++i)
    text += (i == 0 ? "'" : ", '") + names[i] + "'";
  return text + (names.size() > kNamesShown ? ", ..." : "");
}

// Expected size of a layer's sums, over its channels, if its inputs have this mean and variance and do not
// hang together.
double TypicalSum(const ir::Graph& graph, const Layer& layer, double mean, double variance) {
  const ir::Value& weights = graph.value(layer.weights);
  const float* w = weights.as<float>();
  int64_t inner = 1;  // elements between two of one channel's
  for (int d = layer.channel_axis + 1; d < weights.rank(); ++d)
    inner *= weights.shape[static_cast<size_t>(d)];
  std::vector<double> sums(static_cast<size_t>(layer.channels)), squares(sums.size());
  for (int64_t i = 0; i < weights.elements(); ++i) {
    const auto channel = static_cast<size_t>(i / inner % layer.channels);
    sums[channel] += w[i];
    squares[channel] += static_cast<double>(w[i]) * w[i];
  }
  double total = 0.0;
  for (size_t c = 0; c < sums.size(); ++c) total += sums[c] * sums[c] * mean * mean + squares[c] * variance;
  return std::sqrt(total / static_cast<double>(std::max<size_t>(sums.size(), 1)));
}

// Moments of the sums of one output channel, by the moments of what its filter w reads.
struct Sums {
  double mean = 0.0, deviation = 0.0;
};
Sums SumsOf(const observe::InputMoments& moments, size_t set, const float* w) {
  const float* products = moments.products_of(set, 0);
  Sums sums;
  double variance = 0.0;
  for (size_t i = 0; i < moments.depth; ++i) {
    sums.mean += w[i] * moments.mean(set, i);
    for (size_t j = i; j < moments.depth; ++j) {
      const double covariance =
          products[i * moments.block + j] / moments.rows - moments.mean(set, i) * moments.mean(set, j);
      variance += (i == j ? 1.0 : 2.0) * w[i] * w[j] * covariance;
    }
  }
  sums.deviation = std::sqrt(std::max(variance, 0.0));
  return sums;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double Average(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double RootMeanSquare(const ir::Value& value) {
  const float* x = value.as<float>();
  double sum = 0.0;
  for (int64_t i = 0; i < value.elements(); ++i) sum += static_cast<double>(x[i]) * x[i];
  return std::sqrt(sum / static_cast<double>(std::max<int64_t>(value.elements(), 1)));
}

class SampleChecks {
 public:
  SampleChecks(const ir::Graph& graph, const observe::Calibration& calibration)
      : graph_(graph), calibration_(calibration) {}

  std::vector<SampleWarning> Warn() {
    CheckPreprocessing();
    CheckZeros();
    CheckOutliers();
    CheckCount();
    return std::move(warnings_);
  }

 private:
  // Layers that read what the user gives, if only moved about.
  void CheckPreprocessing() {
    std::set<ir::ValueId> given(graph_.inputs.begin(), graph_.inputs.end());
    for (const auto& node : graph_.nodes) {
      if (node->inputs.empty() || given.count(node->inputs[0]) == 0) continue;
      if (node->code == schema::OpCode::Transpose || node->code == schema::OpCode::Reshape) {
        given.insert(node->outputs[0]);
      } else if (const std::optional<Layer> layer = DescribeLayer(graph_, *node)) {
        if (!CheckWithTraining(*node, *layer)) CheckFirstLayer(*node, *layer);
      }
    }
  }

  // False if nothing tells what the network was trained with. Only a convolution keeps each filter in one
  // piece.
  bool CheckWithTraining(const ir::Node& node, const Layer& layer) {
    const auto moments = calibration_.moments.find(graph_.value(layer.weights).name);
    if (node.trained.deviations.size() != static_cast<size_t>(layer.channels) ||
        node.code != schema::OpCode::Conv2D || moments == calibration_.moments.end() ||
        moments->second.blocks != 1 || calibration_.samples < kEnoughForStatistics) {
      return false;
    }
    std::vector<double> ratios, shifts;
    CompareWithTraining(node, layer, moments->second, &ratios, &shifts);
    if (ratios.empty()) return false;
    const double ratio = Median(std::move(ratios)), shift = Average(shifts);
    if (ratio < kLeastDeviation || ratio > kMostDeviation) {
      WarnAboutFirstLayer(
          node, "vary " + Number(ratio) + " times as much as on the data that the network was trained with");
    } else if (shift > kMostShift) {
      WarnAboutFirstLayer(node,
                          "lie " + Number(shift) +
                              " standard deviations off those of the data that the network was trained with");
    }
    return true;
  }

  // Compares each channel that varied in training.
  void CompareWithTraining(const ir::Node& node, const Layer& layer, const observe::InputMoments& moments,
                           std::vector<double>* ratios, std::vector<double>* shifts) const {
    const ir::TrainedOutput& trained = node.trained;
    const float* filter = graph_.value(layer.weights).as<float>();
    const float* bias =
        node.has_input(Layer::kBias) ? graph_.value(node.inputs[Layer::kBias]).as<float>() : nullptr;
    for (size_t c = 0; c < trained.deviations.size(); ++c, filter += moments.depth) {
      if (!(trained.deviations[c] > 0.0f)) continue;
      const Sums sums = SumsOf(moments, c * moments.sets / trained.deviations.size(), filter);
      const double mean = sums.mean + (bias == nullptr ? 0.0 : bias[c]);
      const double ratio = sums.deviation / trained.deviations[c];
      const double shift = std::fabs(mean - trained.means[c]) / trained.deviations[c];
      if (!std::isfinite(ratio) || !std::isfinite(shift)) continue;  // weights that are no numbers
      ratios->push_back(ratio);
      shifts->push_back(std::min(shift, kMostOfOneChannel));
    }
  }

  void WarnAboutFirstLayer(const ir::Node& node, const std::string& found) {
    const observe::Range& range = calibration_.extremes.at(graph_.value(node.inputs[Layer::kX]).name);
    warnings_.push_back(
        {"the samples do not look as the network expects",
         "their values, from " + Number(range.min) + " to " + Number(range.max) +
             ", make the sums of the first layer '" + node.name + "' " + found +
             "; check --mean and --scale (and the arrays, if the samples are no pictures). Usual are "
             "--mean 127.5 --scale 0.00784 (-1 to 1), --scale 0.00392 (0 to 1) and ImageNet's "
             "--mean 123.7,116.3,103.5 --scale 0.0171,0.0175,0.0174",
         true});
  }

  void CheckFirstLayer(const ir::Node& node, const Layer& layer) {
    const auto x = calibration_.histograms.find(graph_.value(node.inputs[Layer::kX]).name);
    if (x == calibration_.histograms.end() || x->second.empty() || !node.has_input(Layer::kBias)) return;
    const double bias = RootMeanSquare(graph_.value(node.inputs[Layer::kBias]));
    if (bias == 0.0) return;
    const double ratio = TypicalSum(graph_, layer, x->second.mean(), x->second.variance()) / bias;
    if (ratio >= kSmallestRatio && ratio <= kLargestRatio) return;
    WarnAboutFirstLayer(node, Number(ratio) + " times as large as its bias, where 0.5 to 4 is usual");
  }

  void CheckZeros() {
    std::vector<std::string> names;
    for (const auto& [name, range] : calibration_.extremes) {
      const ir::ValueId id = graph_.FindValue(name);
      if (range.finite && range.min == 0.0f && range.max == 0.0f && id != ir::kNoValue &&
          !graph_.value(id).is_constant())
        names.push_back(name);
    }
    if (names.empty()) return;
    warnings_.push_back(
        {std::to_string(names.size()) + " tensor(s) are zero on every sample",
         Names(names) +
             "; other inputs will be clipped there: check that the samples are of the kind that the "
             "network was trained for"});
  }

  void CheckOutliers() {
    std::vector<std::string> names;
    for (const auto& [name, range] : calibration_.ranges) {
      if (!range.finite) continue;
      const observe::Range usual = observe::PercentileRange(calibration_.histograms.at(name), range);
      if (range.max - range.min > kFarOutlier * (usual.max - usual.min)) names.push_back(name);
    }
    if (names.empty()) return;
    warnings_.push_back({std::to_string(names.size()) + " tensor(s) have values over " + Number(kFarOutlier) +
                             " times as far out as 99.99 % of the others",
                         Names(names) + "; --calib-method percentile or kl leaves such outliers out"});
  }

  void CheckCount() {
    if (calibration_.samples >= kFewSamples) return;
    warnings_.push_back({"only " + std::to_string(calibration_.samples) +
                             (calibration_.samples == 1 ? " sample" : " samples"),
                         "rare large values may lie outside of the ranges that they show; give some tens"});
  }

  const ir::Graph& graph_;
  const observe::Calibration& calibration_;
  std::vector<SampleWarning> warnings_;
};

}  // namespace

std::vector<SampleWarning> WarnAboutSamples(const ir::Graph& graph, const observe::Calibration& calibration) {
  return SampleChecks(graph, calibration).Warn();
}

}  // namespace micrort::quantize
