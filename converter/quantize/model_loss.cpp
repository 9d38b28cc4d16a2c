#include "converter/quantize/model_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "converter/emit/serialize.h"
#include "converter/observe/next_tokens.h"
#include "converter/observe/runner.h"
#include "tools/io/tensor_floats.h"

namespace micrort::quantize {
namespace {

// Scores of a vocabulary are many numbers: further samples are left out where these would take more.
constexpr size_t kMostScores = size_t{64} << 20;

constexpr double kInfiniteLoss = std::numeric_limits<double>::infinity();

}  // namespace

bool PredictsTokens(const ir::Graph& graph) {
  for (const io::InputSpec& input : observe::InputSpecsOf(graph)) {
    if (!observe::IsTokens(input.dtype, input.shape.size(), input.rows)) continue;
    for (const ir::ValueId id : graph.outputs) {
      const ir::Value& output = graph.value(id);
      if (IsFloat(output.dtype) && output.rank() == 3 && output.shape[2] == input.rows) return true;
    }
  }
  return false;
}

double NoiseOverSignal(const io::Similarity& similarity) {
  const double snr = similarity.Snr();
  return std::isnan(snr) ? kInfiniteLoss : std::pow(10.0, -snr / 10);
}

bool IsAnswer(const std::vector<float>& scores, int64_t label) {
  const auto largest = std::max_element(scores.begin(), scores.end());
  return largest != scores.end() && !std::isnan(*largest) && largest - scores.begin() == label;
}

ModelLoss::ModelLoss(const LossSamples& samples, CpuFeatures features)
    : labels_(samples.labels), features_(features) {
  const size_t all = samples.all->size();
  const size_t count = samples.labels != nullptr ? all : std::min(all, samples.most);
  for (size_t i = 0; i < count; ++i)
    samples_.push_back(&(*samples.all)[samples.follow_each_other ? i : i * all / count]);
}

Status ModelLoss::RunFloat(const ir::Module& module) {
  const std::vector<io::InputSpec> specs = observe::InputSpecsOf(*module.graphs[0]);
  AlignedBytes file;
  MICRORT_RETURN_IF_ERROR(emit::EmitModule(module, &file));
  observe::Runner runner;
  MICRORT_RETURN_IF_ERROR(runner.Load(file, features_, nullptr));
  source_format_ = module.source_format;
  size_t kept = 0;
  for (size_t i = 0; i < samples_.size() && kept < kMostScores; ++i) {
    MICRORT_RETURN_IF_ERROR(runner.Run(*samples_[i]));
    std::optional<observe::TokenScores> scores;
    if (labels_ == nullptr) scores = observe::FindTokenScores(specs, *samples_[i], runner.interpreter());
    if (scores) scores_.push_back(*scores);
    expected_.push_back(OutputsOf(runner.interpreter(), i));
    if (scores) kept += expected_.back()[0].size();
  }
  samples_.resize(expected_.size());
  return Status();
}

Status ModelLoss::Of(std::unique_ptr<ir::Graph> graph, double* loss) const {
  ir::Module module;
  module.source_format = source_format_;
  module.graphs.push_back(std::move(graph));
  AlignedBytes file;
  MICRORT_RETURN_IF_ERROR(emit::EmitModule(module, &file));
  observe::Runner runner;
  MICRORT_RETURN_IF_ERROR(runner.Load(file, features_, nullptr));
  std::vector<Outputs> found;
  for (size_t i = 0; i < samples_.size(); ++i) {
    MICRORT_RETURN_IF_ERROR(runner.Run(*samples_[i]));
    found.push_back(OutputsOf(runner.interpreter(), i));
  }
  *loss = labels_ != nullptr ? LostAnswers(found) : scores_.empty() ? WorstNoise(found) : Divergence(found);
  if (std::isnan(*loss)) *loss = kInfiniteLoss;
  return Status();
}

const char* ModelLoss::measure() const {
  if (labels_ != nullptr) return "lost answers";
  return scores_.empty() ? "noise over signal" : "KL divergence";
}

ModelLoss::Outputs ModelLoss::OutputsOf(const Interpreter& interpreter, size_t sample) const {
  if (sample < scores_.size()) return {io::ToFloats(interpreter.output(scores_[sample].output))};
  Outputs outputs;
  for (size_t i = 0; i < interpreter.output_count(); ++i)
    outputs.push_back(io::ToFloats(interpreter.output(i)));
  return outputs;
}

double ModelLoss::Divergence(const std::vector<Outputs>& found) const {
  observe::NextTokens tokens;
  for (size_t i = 0; i < found.size(); ++i) tokens.Add(expected_[i][0], found[i][0], scores_[i].next);
  return tokens.divergence();
}

double ModelLoss::WorstNoise(const std::vector<Outputs>& found) const {
  double worst = 0.0;
  for (size_t o = 0; o < expected_[0].size(); ++o) {
    io::Similarity similarity;
    for (size_t s = 0; s < expected_.size(); ++s) {
      const std::vector<float>&e = expected_[s][o], &f = found[s][o];
      similarity.Add(e.data(), f.data(), std::min(e.size(), f.size()));
    }
    worst = std::max(worst, NoiseOverSignal(similarity));
  }
  return worst;
}

double ModelLoss::RightAnswers(const std::vector<Outputs>& outputs) const {
  double right = 0.0;
  for (size_t s = 0; s < outputs.size(); ++s) {
    right += IsAnswer(outputs[s][0], (*labels_)[s]);
  }
  return right;
}

double ModelLoss::LostAnswers(const std::vector<Outputs>& found) const {
  return (RightAnswers(expected_) - RightAnswers(found)) / static_cast<double>(samples_.size());
}

}  // namespace micrort::quantize
