// Folds multiplication and addition by constants per output channel (a batch normalization, or a bias written
// as an Add) into the weights and bias of the layer before.

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

// Whether the layer's last step is the bias, a float32 constant if it is there.
bool EndsWithBias(const ir::Graph& graph, const ir::Node& layer) {
  if (!IsLayer(layer.code) || HasActivation(layer) || layer.has_input(kLayerResidual)) return false;
  if (!graph.value(layer.outputs[0]).quantization.empty()) return false;
  if (!layer.has_input(kLayerBias)) return true;
  const ir::Value& bias = graph.value(layer.inputs[kLayerBias]);
  return bias.is_constant() && bias.dtype == DType::kFloat32;
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

ir::ValueId FoldedBias(ir::Graph& graph, const ir::Node& layer, const Affine& affine, size_t channels) {
  std::vector<float> bias(channels, 0.0f);
  std::string name = graph.value(layer.outputs[0]).name + "/bias";
  if (layer.has_input(kLayerBias)) {
    const ir::Value& old = graph.value(layer.inputs[kLayerBias]);
    bias.assign(old.as<float>(), old.as<float>() + channels);
    name = old.name;
  }
  for (size_t i = 0; i < channels; ++i) {
    if (!affine.scale.empty()) bias[i] *= affine.scale[i];
    if (!affine.shift.empty()) bias[i] += affine.shift[i];
  }
  return graph.AddConstantOf(name, {static_cast<int64_t>(channels)}, bias);
}

bool FoldInto(const Site& site, ir::Node& layer, size_t constant) {
  ir::Graph& graph = site.graph;
  const ir::Value& before = graph.value(layer.outputs[0]);
  if (!EndsWithBias(graph, layer) || before.dtype != DType::kFloat32) return false;
  if (!before.has_shape || before.shape.empty() || before.shape.back() < 1) return false;
  const int64_t channels = before.shape.back();
  auto c = PerChannel(site.input(constant), before.rank(), channels);
  if (!c) return false;
  const auto affine = AffineOf(site.node.as<schema::BinaryOptionsT>().kind, constant == 0, std::move(*c));
  if (!affine || (!affine->scale.empty() && !HasConstantWeights(graph, layer))) return false;

  layer.inputs.resize(kLayerBias + 1, ir::kNoValue);
  if (!affine->scale.empty()) layer.inputs[kLayerWeights] = ScaledWeights(graph, layer, affine->scale);
  if (layer.inputs[kLayerBias] != ir::kNoValue || !affine->shift.empty()) {
    layer.inputs[kLayerBias] = FoldedBias(graph, layer, *affine, static_cast<size_t>(channels));
  }
  layer.trained = site.node.trained;  // of what the layer gives from now on
  MergeIntoConsumer(layer, site.node);
  return true;
}

bool FoldScaleOrShift(const Site& site) {
  if (site.node.code != OpCode::Binary || HasActivation(site.node)) return false;
  for (size_t x = 0; x < 2; ++x) {
    ir::Node* layer = site.own_producer(x);
    if (layer != nullptr && site.input(1 - x).is_constant() && FoldInto(site, *layer, 1 - x)) return true;
  }
  return false;
}

}  // namespace

Status FoldScaleShift(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, FoldScaleOrShift);
  return Status();
}

}  // namespace micrort::passes
