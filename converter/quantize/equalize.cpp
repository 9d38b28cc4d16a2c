#include "converter/quantize/equalize.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
      return true;
    case schema::ActivationKind::Clip:
      return activation.a() == 0.0f && activation.b() >= std::numeric_limits<float>::max();
    default:
      return false;
  }
}

struct Pair {
  ir::Node *writer, *reader;
};

class Equalizer {
 public:
  explicit Equalizer(ir::Graph* graph) : graph_(*graph), uses_(graph->ComputeUses()) {}

  int Equalize() {
    std::vector<Pair> pairs;
    for (const auto& node : graph_.nodes) {
      if (ir::Node* reader = ReaderOf(node.get())) pairs.push_back({node.get(), reader});
    }
    for (int round = 0; round < kRounds; ++round) {
      for (const Pair& pair : pairs) EqualizePair(pair);
    }
    return static_cast<int>(pairs.size());
  }

 private:
  // The layer that alone reads what the node writes, if the channels between them can be scaled.
  ir::Node* ReaderOf(ir::Node* node) const {
    if (node->code == schema::OpCode::Recurrent || node->has_input(Layer::kResidual)) return nullptr;
    const std::optional<Layer> writer = DescribeLayer(graph_, *node);
    if (!writer || !ScalesWithItsInput(*passes::ActivationOf(*node))) return nullptr;
    ir::Node* reader = uses_.single_consumer(node->outputs[0]);
    if (reader == nullptr || reader->code == schema::OpCode::Recurrent ||
        reader->inputs[Layer::kX] != node->outputs[0]) {
      return nullptr;
    }
    const std::optional<Layer> layer = DescribeLayer(graph_, *reader);
    return layer && layer->input_channels == writer->channels ? reader : nullptr;
  }

  void EqualizePair(const Pair& pair) {
    const Layer writer = *DescribeLayer(graph_, *pair.writer), reader = *DescribeLayer(graph_, *pair.reader);
    const std::vector<float> written = LargestPerChannel(graph_.value(writer.weights), writer.channel_axis);
    const std::vector<float> read = LargestRead(*pair.reader, reader);
    std::vector<float> scales(written.size(), 1.0f);
    for (size_t c = 0; c < scales.size(); ++c) {
      const float scale = std::sqrt(read[c] / written[c]);
      if (std::isfinite(scale) && scale > 0.0f)
        scales[c] = std::clamp(scale, 1.0f / kMostScaling, kMostScaling);
    }
    ScaleWriter(pair.writer, writer, scales);
    ScaleReader(pair.reader, reader, scales);
  }

  std::vector<float> LargestRead(const ir::Node& node, const Layer& layer) const {
    const ir::Value& weights = graph_.value(layer.weights);
    std::vector<float> largest(static_cast<size_t>(layer.input_channels));
    for (int64_t i = 0; i < weights.elements(); ++i) {
      float& x = largest[InputChannel(node, weights, layer, i)];
      x = std::max(x, std::fabs(weights.as<float>()[i]));
    }
    return largest;
  }

  // new = old * factor(i), in a constant of its own.
  template <typename F>
  void Scale(ir::ValueId* id, const F& factor) {
    const ir::Value old = graph_.value(*id);
    std::vector<float> scaled(old.as<float>(), old.as<float>() + old.elements());
    for (size_t i = 0; i < scaled.size(); ++i) scaled[i] *= factor(static_cast<int64_t>(i));
    *id = graph_.AddConstantOf(old.name, old.shape, scaled);
  }

  void ScaleWriter(ir::Node* node, const Layer& layer, const std::vector<float>& scales) {
    const std::vector<int64_t> shape = graph_.value(layer.weights).shape;
    int64_t inner = 1;
    for (size_t d = static_cast<size_t>(layer.channel_axis) + 1; d < shape.size(); ++d) inner *= shape[d];
    Scale(&node->inputs[Layer::kWeights],
          [&](int64_t i) { return scales[static_cast<size_t>(i / inner % layer.channels)]; });
    if (!node->has_input(Layer::kBias)) return;
    Scale(&node->inputs[Layer::kBias], [&](int64_t i) { return scales[static_cast<size_t>(i)]; });
  }

  void ScaleReader(ir::Node* node, const Layer& layer, const std::vector<float>& scales) {
    const ir::Value weights = graph_.value(layer.weights);
    Scale(&node->inputs[Layer::kWeights],
          [&](int64_t i) { return 1.0f / scales[InputChannel(*node, weights, layer, i)]; });
  }

  ir::Graph& graph_;
  const ir::Graph::Uses uses_;
};

}  // namespace

int EqualizeLayers(ir::Graph* graph) { return Equalizer(graph).Equalize(); }

}  // namespace micrort::quantize
