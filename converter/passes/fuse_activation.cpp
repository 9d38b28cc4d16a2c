// Merges an activation into the operator before it, which applies it to its results while they are at hand.

#include <optional>

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

bool FuseUnary(const Site& site) {
  ir::Node* producer = site.own_producer(0);
  const ir::Value& between = site.input(0);
  if (producer == nullptr || between.dtype != DType::kFloat32 || !between.quantization.empty()) return false;
  schema::Activation* activation = ActivationOf(*producer);
  const auto fused = AsActivation(site.node.as<schema::UnaryOptionsT>());
  if (activation == nullptr || activation->kind() != ActivationKind::None || !fused) return false;
  *activation = *fused;
  MergeIntoConsumer(*producer, site.node);
  return true;
}

}  // namespace

Status FuseActivation(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Unary}, FuseUnary);
  return Status();
}

}  // namespace micrort::passes
