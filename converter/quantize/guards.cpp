#include "converter/quantize/guards.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
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

double RootMeanSquare(const ir::Value& value) {
  const float* x = value.as<float>();
  double sum = 0.0;
  for (int64_t i = 0; i < value.elements(); ++i) sum += static_cast<double>(x[i]) * x[i];
  return std::sqrt(sum / static_cast<double>(std::max<int64_t>(value.elements(), 1)));
}

class Guards {
 public:
  Guards(const ir::Graph& graph, const observe::Calibration& calibration)
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
        CheckFirstLayer(*node, *layer);
      }
    }
  }

  void CheckFirstLayer(const ir::Node& node, const Layer& layer) {
    const auto x = calibration_.histograms.find(graph_.value(node.inputs[Layer::kX]).name);
    if (x == calibration_.histograms.end() || x->second.empty() || !node.has_input(Layer::kBias)) return;
    const double bias = RootMeanSquare(graph_.value(node.inputs[Layer::kBias]));
    if (bias == 0.0) return;
    const double ratio = TypicalSum(graph_, layer, x->second.mean(), x->second.variance()) / bias;
    if (ratio >= kSmallestRatio && ratio <= kLargestRatio) return;
    const observe::Range& range = calibration_.extremes.at(x->first);
    warnings_.push_back({"the samples do not look as the network expects",
                         "their values, from " + Number(range.min) + " to " + Number(range.max) +
                             ", make the sums of the first layer '" + node.name + "' " + Number(ratio) +
                             " times as large as its bias, where 0.5 to 4 is usual; check --mean and --scale "
                             "(and the arrays, "
                             "if the samples are no pictures)",
                         true});
  }

  void CheckZeros() {
    std::vector<std::string> names;
    for (const auto& [name, range] : calibration_.extremes) {
      const ir::ValueId id = graph_.FindValue(name);
      if (range.min == 0.0f && range.max == 0.0f && id != ir::kNoValue && !graph_.value(id).is_constant())
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
  return Guards(graph, calibration).Warn();
}

}  // namespace micrort::quantize
