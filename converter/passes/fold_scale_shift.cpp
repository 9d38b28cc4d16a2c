// Folds multiplication and addition by constants per output channel (a batch normalization, or a bias written
// as an Add) into the weights and bias of the layer before, or of the layers whose sum is before.

#include <algorithm>
#include <optional>
#include <string>

#include "converter/ir/op_facts.h"
#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;
using schema::OpCode;

// y = scale * x + shift, per channel; an empty vector stands for ones or zeros.
struct Affine {
  std::vector<float> scale;
  std::vector<float> shift;
};

std::optional<Affine> AffineOf(BinaryKind kind, bool constant_first, std::vector<float> c) {
  Affine affine;
  switch (kind) {
    case BinaryKind::Mul:
      affine.scale = std::move(c);
      return affine;
    case BinaryKind::Div:
      if (constant_first) return std::nullopt;
      for (float& v : c) v = 1.0f / v;
      affine.scale = std::move(c);
      return affine;
    case BinaryKind::Sub:
      if (constant_first) {
        affine.scale.assign(c.size(), -1.0f);
      } else {
        for (float& v : c) v = -v;
      }
      affine.shift = std::move(c);
      return affine;
    case BinaryKind::Add:
      affine.shift = std::move(c);
      return affine;
    default:
      return std::nullopt;
  }
}

// Whether the layer's last steps are its bias, a float32 constant if it is there, and its residual.
bool IsLinear(const ir::Graph& graph, const ir::Node& layer) {
  if (!IsLayer(layer.code) || HasActivation(layer)) return false;
  const ir::Value& output = graph.value(layer.outputs[0]);
  if (!output.quantization.empty() || output.dtype != DType::kFloat32) return false;
  if (!layer.has_input(kLayerBias)) return true;
  const ir::Value& bias = graph.value(layer.inputs[kLayerBias]);
  return bias.is_constant() && bias.dtype == DType::kFloat32;
}

bool KeepsChannels(const ir::Graph& graph, const ir::Node& reshape) {
  const ir::Value& x = graph.value(reshape.inputs[0]);
  const ir::Value& y = graph.value(reshape.outputs[0]);
  return x.rank() > 0 && y.rank() > 0 && x.shape.back() == y.shape.back();
}

// Values whose sum, with what the node itself computes, is the node's output. False: it is no sum.
bool FindTerms(const ir::Graph& graph, const ir::Node& node, std::vector<ir::ValueId>* terms) {
  if (IsLayer(node.code)) {
    if (node.has_input(kLayerResidual)) *terms = {node.inputs[kLayerResidual]};
    return IsLinear(graph, node);
  }
  const bool hands_on = node.code == OpCode::Reshape && KeepsChannels(graph, node);
  if (!hands_on && !IsBinary(node, BinaryKind::Add)) return false;
  terms->assign(node.inputs.begin(), node.inputs.begin() + (hands_on ? 1 : 2));
  return true;
}

// The layers whose sum the node's output is, as volumes are convolved plane by plane; empty where it is not.
// What lies between has no other reader, and no name in the source model, for it changes.
std::vector<ir::Node*> LayersBehind(const Site& site, ir::Node* last) {
  std::vector<ir::Node*> layers, open = {last};
  while (!open.empty()) {
    ir::Node* const node = open.back();
    open.pop_back();
    if (IsLayer(node->code)) layers.push_back(node);
    std::vector<ir::ValueId> terms;
    if (!FindTerms(site.graph, *node, &terms)) return {};
    for (const ir::ValueId term : terms) {
      ir::Node* const producer = site.uses.producer(term);
      const bool is_own = site.uses.single_consumer(term) == node && !site.graph.value(term).in_source;
      if (producer == nullptr || !is_own) return {};
      open.push_back(producer);
    }
  }
  return layers;
}

ir::ValueId ScaledWeights(ir::Graph& graph, const ir::Node& layer, const std::vector<float>& scale) {
  const ir::Value& weights = graph.value(layer.inputs[kLayerWeights]);
  const auto axis = static_cast<size_t>(ir::ChannelAxis(layer, weights.rank()));
  int64_t inner = 1;
  for (size_t i = axis + 1; i < weights.shape.size(); ++i) inner *= weights.shape[i];
  std::vector<float> scaled(weights.as<float>(), weights.as<float>() + weights.elements());
  for (size_t i = 0; i < scaled.size(); ++i)
    scaled[i] *= scale[i / static_cast<size_t>(inner) % scale.size()];
  return graph.AddConstantOf(weights.name, weights.shape, scaled);
}

// shift: empty for zeros.
ir::ValueId FoldedBias(ir::Graph& graph, const ir::Node& layer, const std::vector<float>& scale,
                       const std::vector<float>& shift, size_t channels) {
  std::vector<float> bias(channels, 0.0f);
  std::string name = graph.value(layer.outputs[0]).name + "/bias";
  if (layer.has_input(kLayerBias)) {
    const ir::Value& old = graph.value(layer.inputs[kLayerBias]);
    bias.assign(old.as<float>(), old.as<float>() + channels);
    name = old.name;
  }
  for (size_t i = 0; i < channels; ++i) {
    if (!scale.empty()) bias[i] *= scale[i];
    if (!shift.empty()) bias[i] += shift[i];
  }
  return graph.AddConstantOf(name, {static_cast<int64_t>(channels)}, bias);
}

void FoldIntoLayer(ir::Graph& graph, const std::vector<float>& scale, const std::vector<float>& shift,
                   size_t channels, ir::Node* layer) {
  if (layer->inputs.size() <= kLayerBias) layer->inputs.resize(kLayerBias + 1, ir::kNoValue);
  if (!scale.empty()) layer->inputs[kLayerWeights] = ScaledWeights(graph, *layer, scale);
  if (layer->has_input(kLayerBias) || !shift.empty())
    layer->inputs[kLayerBias] = FoldedBias(graph, *layer, scale, shift, channels);
}

bool FoldInto(const Site& site, ir::Node& last, size_t constant) {
  ir::Graph& graph = site.graph;
  const ir::Value& before = graph.value(last.outputs[0]);
  if (before.dtype != DType::kFloat32 || !before.has_shape || before.shape.empty() || before.shape.back() < 1)
    return false;
  const std::vector<ir::Node*> layers = LayersBehind(site, &last);
  if (layers.empty()) return false;
  const int64_t channels = before.shape.back();
  auto c = PerChannel(site.input(constant), before.rank(), channels);
  if (!c) return false;
  const auto affine = AffineOf(site.node.as<schema::BinaryOptionsT>().kind, constant == 0, std::move(*c));
  const auto has_constant_weights = [&](const ir::Node* layer) { return HasConstantWeights(graph, *layer); };
  if (!affine || (!affine->scale.empty() && !std::all_of(layers.begin(), layers.end(), has_constant_weights)))
    return false;

  const bool is_one = layers.size() == 1;
  const bool is_whole_bias = affine->scale.empty() && !layers.back()->has_input(kLayerBias);
  for (ir::Node* layer : layers) {
    FoldIntoLayer(graph, affine->scale, layer == layers.back() ? affine->shift : std::vector<float>(),
                  static_cast<size_t>(channels), layer);
    // Statistics of what the layer gives from now on.
    layer->trained = is_one ? site.node.trained : ir::TrainedOutput();
  }
  if (is_whole_bias)
    graph.value(layers.back()->inputs[kLayerBias]).source_integers = site.input(constant).source_integers;
  MergeIntoConsumer(last, site.node);
  return true;
}

bool FoldScaleOrShift(const Site& site) {
  if (HasActivation(site.node)) return false;
  for (size_t x = 0; x < 2; ++x) {
    ir::Node* before = site.own_producer(x);
    if (before != nullptr && site.input(1 - x).is_constant() && FoldInto(site, *before, 1 - x)) return true;
  }
  return false;
}

}  // namespace

Status FoldScaleShift(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Binary}, FoldScaleOrShift);
  return Status();
}

}  // namespace micrort::passes
