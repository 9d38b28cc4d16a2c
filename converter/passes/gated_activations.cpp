// Recognizes activations that exporters spell out: Silu as x * Sigmoid(x), HardSigmoid as Clip(x + 3, 0, 6) /
// 6 and HardSwish as x * HardSigmoid(x).

#include "converter/passes/passes.h"
#include "converter/passes/site_match.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

constexpr float kSixth = 1.0f / 6.0f;

// v, if the value is Clip(v, low, high).
ir::ValueId OperandOfClip(const Site& site, ir::ValueId id, float low, float high) {
  const ir::ValueId operand = OperandOfUnary(site, id, UnaryKind::Clip);
  if (operand == ir::kNoValue) return operand;
  const auto& bounds = ProducerOf(site, id)->as<schema::UnaryOptionsT>();
  return bounds.a == low && bounds.b == high ? operand : ir::kNoValue;
}

// x, if the value is Clip(x + 3, 0, 6).
ir::ValueId OperandOfRelu6Plus3(const Site& site, ir::ValueId id) {
  return OperandOfSum(site, OperandOfClip(site, id, 0, 6), 3);
}

// Clip(x + 3, 0, 6) / 6 or Clip(x / 6 + 1 / 2, 0, 1)
bool FindHardSigmoid(const Site& site) {
  const ir::ValueId output = site.node.outputs[0];
  ir::ValueId x = OperandOfRelu6Plus3(site, OperandOfProduct(site, output, kSixth));
  if (x == ir::kNoValue) {
    x = OperandOfProduct(site, OperandOfSum(site, OperandOfClip(site, output, 0, 1), 0.5f), kSixth);
  }
  if (x == ir::kNoValue) return false;
  BecomeUnary(site, UnaryKind::HardSigmoid, x, kSixth, 0.5f);
  return true;
}

// (x * Clip(x + 3, 0, 6)) / 6
bool FindHardSwish(const Site& site) {
  const ir::Node* product = ProducerOf(site, OperandOfProduct(site, site.node.outputs[0], kSixth));
  if (product == nullptr || !IsBinary(*product, BinaryKind::Mul)) return false;
  for (size_t i = 0; i < 2; ++i) {
    const ir::ValueId x = product->inputs[i];
    if (OperandOfRelu6Plus3(site, product->inputs[1 - i]) != x) continue;
    BecomeUnary(site, UnaryKind::HardSwish, x);
    return true;
  }
  return false;
}

// x * gate(x).
bool FindGated(const Site& site) {
  if (!IsBinary(site.node, BinaryKind::Mul)) return false;
  for (size_t i = 0; i < 2; ++i) {
    const ir::ValueId x = site.node.inputs[i];
    const ir::Node* gate = site.producer(1 - i);
    if (gate == nullptr || gate->code != schema::OpCode::Unary || gate->inputs[0] != x) continue;
    const auto& options = gate->as<schema::UnaryOptionsT>();
    const bool is_sigmoid = options.kind == UnaryKind::Sigmoid;
    const bool is_hard_sigmoid =
        options.kind == UnaryKind::HardSigmoid && Near(options.a, kSixth) && Near(options.b, 0.5f);
    if (!is_sigmoid && !is_hard_sigmoid) continue;
    BecomeUnary(site, is_sigmoid ? UnaryKind::Silu : UnaryKind::HardSwish, x);
    return true;
  }
  return false;
}

}  // namespace

Status RecognizeGatedActivations(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, [](const Site& site) {
    if (site.output().dtype != DType::kFloat32) return false;
    return FindHardSigmoid(site) || FindHardSwish(site) || FindGated(site);
  });
  return Status();
}

}  // namespace micrort::passes
