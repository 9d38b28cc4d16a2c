// Merges an activation into the operator before it, which applies it to its results while they are at hand.
// PRelu needs constant slopes that differ at most from channel to channel, and a layer.

#include <algorithm>
#include <optional>
#include <vector>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::ActivationKind;
using schema::UnaryKind;

std::optional<schema::Activation> AsActivation(const schema::UnaryOptionsT& unary) {
  switch (unary.kind) {
    case UnaryKind::Clip:
      return schema::Activation(ActivationKind::Clip, unary.a, unary.b);
    case UnaryKind::LeakyRelu:
      return schema::Activation(ActivationKind::LeakyRelu, unary.a, 0);
    case UnaryKind::Sigmoid:
      return schema::Activation(ActivationKind::Sigmoid, 0, 0);
    case UnaryKind::Tanh:
      return schema::Activation(ActivationKind::Tanh, 0, 0);
    case UnaryKind::HardSigmoid:
      return schema::Activation(ActivationKind::HardSigmoid, unary.a, unary.b);
    case UnaryKind::HardSwish:
      return schema::Activation(ActivationKind::HardSwish, 0, 0);
    case UnaryKind::Silu:
      return schema::Activation(ActivationKind::Silu, 0, 0);
    default:
      return std::nullopt;
  }
}

// The operator that alone writes input 0, if it can take an activation; else null.
ir::Node* TakerOf(const Site& site) {
  ir::Node* producer = site.own_producer(0);
  const ir::Value& between = site.input(0);
  if (producer == nullptr || between.dtype != DType::kFloat32 || !between.quantization.empty())
    return nullptr;
  return ActivationOf(*producer) == nullptr || HasActivation(*producer) ? nullptr : producer;
}

bool FuseUnary(const Site& site) {
  ir::Node* producer = TakerOf(site);
  const auto fused = AsActivation(site.node.as<schema::UnaryOptionsT>());
  if (producer == nullptr || !fused) return false;
  *ActivationOf(*producer) = *fused;
  MergeIntoConsumer(*producer, site.node);
  return true;
}

bool FusePRelu(const Site& site) {
  ir::Node* producer = TakerOf(site);
  const ir::Value& x = site.input(0);
  if (producer == nullptr || !IsBinary(site.node, schema::BinaryKind::PRelu) || x.shape.empty()) return false;
  const int64_t channels = x.shape.back();
  if (channels == ir::kDynamic || !SameShape(x, site.output())) return false;
  const auto slopes = PerChannel(site.input(1), x.rank(), channels);
  if (!slopes || slopes->empty()) return false;
  const auto is_first = [&](float slope) { return slope == slopes->front(); };
  if (std::all_of(slopes->begin(), slopes->end(), is_first)) {
    *ActivationOf(*producer) = schema::Activation(ActivationKind::LeakyRelu, slopes->front(), 0);
  } else if (IsLayer(producer->code)) {
    *ActivationOf(*producer) = schema::Activation(ActivationKind::PRelu, 0, 0);
    producer->inputs.resize(kLayerSlopes + 1, ir::kNoValue);
    producer->inputs[kLayerSlopes] = site.graph.AddConstantOf(site.input(1).name, {channels}, *slopes);
  } else {
    return false;
  }
  MergeIntoConsumer(*producer, site.node);
  return true;
}

}  // namespace

Status FuseActivation(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Unary}, FuseUnary);
  *changed |= RewriteNodes(graph, {schema::OpCode::Binary}, FusePRelu);
  return Status();
}

}  // namespace micrort::passes
