#pragma once
// What a converted model loses against the one in float, as a number that --max-loss bounds.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/observe/samples.h"
#include "converter/observe/token_scores.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/status.h"
#include "tools/io/similarity.h"

namespace micrort::quantize {

// Whether a graph has an input of tokens, and an output with a score for each of them, so that its loss is a
// KL divergence.
bool PredictsTokens(const ir::Graph& graph);

// What remains of an output's ratio of signal to noise: 0 if all is equal, infinite where something is finite
// on one side only.
double NoiseOverSignal(const io::Similarity& similarity);

// Whether the largest score is that of the label; not where it is no number.
bool IsAnswer(const std::vector<float>& scores, int64_t label);

struct LossSamples {
  const std::vector<observe::Sample>* all;  // in the graph's order; at least one
  // The right answers, one a sample; null: none.
  const std::vector<int64_t>* labels = nullptr;
  size_t most = 0;                 // how many of them are run, without labels
  bool follow_each_other = false;  // a model with state needs the first ones
};

// The loss is, with labels, the share of right answers that the float model gives and the other does not; of
// models that predict tokens, the mean KL divergence of their probabilities in nats; else the largest noise
// over signal of an output.
class ModelLoss {
 public:
  ModelLoss(const LossSamples& samples, CpuFeatures features);

  // First.
  Status RunFloat(const ir::Module& module);
  const char* measure() const;  // "KL divergence"
  // The same model with another graph. Infinite if results are no numbers where the float model's are.
  Status Of(std::unique_ptr<ir::Graph> graph, double* loss) const;

 private:
  using Outputs = std::vector<std::vector<float>>;  // of one sample

  Outputs OutputsOf(const Interpreter& interpreter, size_t sample) const;
  double WorstNoise(const std::vector<Outputs>& found) const;
  double RightAnswers(const std::vector<Outputs>& outputs) const;
  double LostAnswers(const std::vector<Outputs>& found) const;
  double Divergence(const std::vector<Outputs>& found) const;

  const std::vector<int64_t>* const labels_;
  const CpuFeatures features_;
  std::vector<const observe::Sample*> samples_;
  std::vector<observe::TokenScores> scores_;  // of each sample; empty: the model predicts no tokens
  std::vector<Outputs> expected_;
  std::string source_format_;
};

}  // namespace micrort::quantize
