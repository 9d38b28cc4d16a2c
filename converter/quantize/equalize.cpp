#include "converter/quantize/equalize.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

#include "converter/passes/match.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/quantized_weights.h"

namespace micrort::quantize {
namespace {

// Chains of layers need several rounds; changes get small soon.
constexpr int kRounds = 8;
constexpr float kMostScaling = 100.0f;

bool ScalesWithItsInput(const schema::Activation& activation) {
  switch (activation.kind()) {
    case schema::ActivationKind::None:
    case schema::ActivationKind::LeakyRelu:
    case schema::ActivationKind::PRelu:
      return true;
    case schema::ActivationKind::Clip:
      return activation.a() == 0.0f && activation.b() >= std::numeric_limits<float>::max();
    default:
      return false;
  }
}

// A layer while its constants change.
struct Work {
  ir::Node* node;
  Layer layer;
  std::vector<float> weights, bias;  // no bias: empty
};

template <typename F>
void ForEachRun(const WeightRuns& runs, F f) {
  for (size_t r = 0; r < runs.size(); ++r) f(runs.run(r));
}

class Equalizer {
 public:
  explicit Equalizer(ir::Graph* graph) : graph_(*graph), uses_(graph->ComputeUses()) {}

  ChannelScales Equalize() {
    std::vector<std::pair<Work*, Work*>> pairs;  // who writes a value, who reads it
    for (const auto& node : graph_.nodes) {
      if (ir::Node* reader = ReaderOf(node.get())) pairs.emplace_back(WorkOn(node.get()), WorkOn(reader));
    }
    for (int round = 0; round < kRounds; ++round) {
      for (const auto& [writer, reader] : pairs) EqualizePair(writer, reader);
    }
    for (Work& work : works_) Store(&work);
    return std::move(scales_);
  }

 private:
  // The layer that alone reads what the node writes, if the channels between them can be scaled.
  ir::Node* ReaderOf(ir::Node* node) const {
    if (!IsLayer(node->code) || node->has_input(Layer::kResidual)) return nullptr;
    const std::optional<Layer> writer = DescribeLayer(graph_, *node);
    if (!writer || !ScalesWithItsInput(*passes::ActivationOf(*node))) return nullptr;
    ir::Node* reader = uses_.single_consumer(node->outputs[0]);
    if (reader == nullptr || !IsLayer(reader->code) || reader->inputs[Layer::kX] != node->outputs[0]) {
      return nullptr;
    }
    const std::optional<Layer> layer = DescribeLayer(graph_, *reader);
    return layer && layer->input_channels == writer->channels ? reader : nullptr;
  }

  Work* WorkOn(ir::Node* node) {
    Work*& work = work_of_[node];
    if (work == nullptr) {
      works_.push_back({node, *DescribeLayer(graph_, *node), FloatsOf(node->inputs[Layer::kWeights]), {}});
      work = &works_.back();
      if (node->has_input(Layer::kBias)) work->bias = FloatsOf(node->inputs[Layer::kBias]);
    }
    return work;
  }

  std::vector<float> FloatsOf(ir::ValueId id) const {
    const ir::Value& value = graph_.value(id);
    return {value.as<float>(), value.as<float>() + value.elements()};
  }

  WeightRuns RunsOf(const Work& work) const {
    return WeightRuns(*work.node, graph_.value(work.layer.weights), work.layer);
  }

  // The largest weight of every channel that is written.
  std::vector<float> LargestWritten(const Work& work) const {
    std::vector<float> largest(static_cast<size_t>(work.layer.channels));
    ForEachRun(RunsOf(work), [&](const WeightRun& run) {
      const float* w = &work.weights[run.first];
      float* to = &largest[run.channel];
      if (run.channel_step == 0) {
        *to = LargestOf(w, run.length, *to);
      } else {
        for (size_t i = 0; i < run.length; ++i) to[i] = std::max(to[i], std::fabs(w[i]));
      }
    });
    return largest;
  }

  // The largest weight of every channel that is read.
  std::vector<float> LargestRead(const Work& work) const {
    std::vector<float> largest(static_cast<size_t>(work.layer.input_channels));
    ForEachRun(RunsOf(work), [&](const WeightRun& run) {
      const float* w = &work.weights[run.first];
      float* to = &largest[run.input];
      if (run.input_step == 0) {
        *to = LargestOf(w, run.length, *to);
      } else if (run.input_divisor == 1) {
        for (size_t i = 0; i < run.length; ++i) to[i] = std::max(to[i], std::fabs(w[i]));
      } else {
        for (size_t i = 0; i < run.length; ++i)
          to[i / run.input_divisor] = std::max(to[i / run.input_divisor], std::fabs(w[i]));
      }
    });
    return largest;
  }

  void ScaleWritten(const std::vector<float>& scales, Work* work) const {
    ForEachRun(RunsOf(*work), [&](const WeightRun& run) {
      float* w = &work->weights[run.first];
      const float* scale = &scales[run.channel];
      if (run.channel_step == 0) {
        for (size_t i = 0; i < run.length; ++i) w[i] *= *scale;
      } else {
        for (size_t i = 0; i < run.length; ++i) w[i] *= scale[i];
      }
    });
  }

  void DivideRead(const std::vector<float>& scales, Work* work) const {
    ForEachRun(RunsOf(*work), [&](const WeightRun& run) {
      float* w = &work->weights[run.first];
      const float* scale = &scales[run.input];
      if (run.input_step == 0) {
        for (size_t i = 0; i < run.length; ++i) w[i] /= *scale;
      } else if (run.input_divisor == 1) {
        for (size_t i = 0; i < run.length; ++i) w[i] /= scale[i];
      } else {
        for (size_t i = 0; i < run.length; ++i) w[i] /= scale[i / run.input_divisor];
      }
    });
  }

  void EqualizePair(Work* writer, Work* reader) {
    const std::vector<float> written = LargestWritten(*writer), read = LargestRead(*reader);
    std::vector<float> scales(written.size(), 1.0f);
    for (size_t c = 0; c < scales.size(); ++c) {
      const float scale = std::sqrt(read[c] / written[c]);
      if (std::isfinite(scale) && scale > 0.0f)
        scales[c] = std::clamp(scale, 1.0f / kMostScaling, kMostScaling);
    }
    Remember(graph_.value(writer->node->outputs[0]).name, scales);
    ScaleWritten(scales, writer);
    for (size_t c = 0; c < writer->bias.size(); ++c) writer->bias[c] *= scales[c];
    ir::TrainedOutput& trained = writer->node->trained;
    for (size_t c = 0; c < trained.means.size(); ++c) trained.means[c] *= scales[c];
    for (size_t c = 0; c < trained.deviations.size(); ++c) trained.deviations[c] *= scales[c];
    DivideRead(scales, reader);
  }

  void Remember(const std::string& name, const std::vector<float>& scales) {
    std::vector<float>& all = scales_[name];
    all.resize(scales.size(), 1.0f);
    for (size_t c = 0; c < scales.size(); ++c) all[c] *= scales[c];
  }

  // The old constants may have other readers.
  void Store(Work* work) {
    const auto store = [&](size_t input, const std::vector<float>& floats) {
      const ir::Value old = graph_.value(work->node->inputs[input]);
      work->node->inputs[input] = graph_.AddConstantOf(old.name, old.shape, floats);
    };
    store(Layer::kWeights, work->weights);
    if (!work->bias.empty()) store(Layer::kBias, work->bias);
  }

  ir::Graph& graph_;
  const ir::Graph::Uses uses_;
  std::deque<Work>
      works_;  // in the order in which they are met, so that names of constants do not depend on addresses
  std::map<ir::Node*, Work*> work_of_;
  ChannelScales scales_;
};

}  // namespace

ChannelScales EqualizeLayers(ir::Graph* graph) { return Equalizer(graph).Equalize(); }

}  // namespace micrort::quantize
