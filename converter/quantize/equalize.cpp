#include "converter/quantize/equalize.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>

#include "converter/passes/match.h"
#include "converter/quantize/layer.h"

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

  size_t OutputChannel(const Work& work, size_t i) const {
    const std::vector<int64_t>& shape = graph_.value(work.layer.weights).shape;
    int64_t inner = 1;
    for (size_t d = static_cast<size_t>(work.layer.channel_axis) + 1; d < shape.size(); ++d)
      inner *= shape[d];
    return static_cast<size_t>(static_cast<int64_t>(i) / inner % work.layer.channels);
  }
  size_t ReadChannel(const Work& work, size_t i) const {
    return InputChannel(*work.node, graph_.value(work.layer.weights), work.layer, static_cast<int64_t>(i));
  }

  void EqualizePair(Work* writer, Work* reader) {
    std::vector<float> written(static_cast<size_t>(writer->layer.channels)), read(written.size());
    for (size_t i = 0; i < writer->weights.size(); ++i) {
      float& largest = written[OutputChannel(*writer, i)];
      largest = std::max(largest, std::fabs(writer->weights[i]));
    }
    for (size_t i = 0; i < reader->weights.size(); ++i) {
      float& largest = read[ReadChannel(*reader, i)];
      largest = std::max(largest, std::fabs(reader->weights[i]));
    }
    std::vector<float> scales(written.size(), 1.0f);
    for (size_t c = 0; c < scales.size(); ++c) {
      const float scale = std::sqrt(read[c] / written[c]);
      if (std::isfinite(scale) && scale > 0.0f)
        scales[c] = std::clamp(scale, 1.0f / kMostScaling, kMostScaling);
    }
    Remember(graph_.value(writer->node->outputs[0]).name, scales);
    for (size_t i = 0; i < writer->weights.size(); ++i)
      writer->weights[i] *= scales[OutputChannel(*writer, i)];
    for (size_t c = 0; c < writer->bias.size(); ++c) writer->bias[c] *= scales[c];
    ir::TrainedOutput& trained = writer->node->trained;
    for (size_t c = 0; c < trained.means.size(); ++c) trained.means[c] *= scales[c];
    for (size_t c = 0; c < trained.deviations.size(); ++c) trained.deviations[c] *= scales[c];
    for (size_t i = 0; i < reader->weights.size(); ++i) reader->weights[i] /= scales[ReadChannel(*reader, i)];
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
