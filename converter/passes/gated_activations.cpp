// Recognizes activations that exporters spell out: Silu as x * Sigmoid(x), HardSigmoid as Clip(x + 3, 0, 6) /
// 6 and HardSwish as x * HardSigmoid(x).

#include <cmath>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

bool Near(float a, float b) { return std::fabs(a - b) <= 1e-6f; }

void BecomeUnary(const Site& site, UnaryKind kind, ir::ValueId x, float a = 0, float b = 0) {
  schema::UnaryOptionsT options;
  options.kind = kind;
  options.a = a;
  options.b = b;
  site.node.code = schema::OpCode::Unary;
  site.node.options.Set(std::move(options));
  site.node.inputs = {x};
}

// x, if `id` is Clip(x + 3, 0, 6) and nothing else reads the steps between.
ir::ValueId InputOfRelu6Plus3(const Site& site, ir::ValueId id) {
  const ir::Node* clip = site.uses.producer[static_cast<size_t>(id)];
  if (clip == nullptr || !IsUnary(*clip, UnaryKind::Clip)) return ir::kNoValue;
  const auto& bounds = clip->as<schema::UnaryOptionsT>();
  const ir::Node* add = site.uses.producer[static_cast<size_t>(clip->inputs[0])];
  if (bounds.a != 0 || bounds.b != 6 || add == nullptr || !IsBinary(*add, BinaryKind::Add))
    return ir::kNoValue;
  for (size_t c = 0; c < 2; ++c) {
    if (ScalarOf(site.graph.value(add->inputs[c])) == 3.0f) return add->inputs[1 - c];
  }
  return ir::kNoValue;
}

// The operand that is divided by 6, or multiplied by 1 / 6; kNoValue if that is not what the node does.
ir::ValueId InputOfSixth(const Site& site) {
  if (IsBinary(site.node, BinaryKind::Div)) {
    return ScalarOf(site.input(1)) == 6.0f ? site.node.inputs[0] : ir::kNoValue;
  }
  if (!IsBinary(site.node, BinaryKind::Mul)) return ir::kNoValue;
  for (size_t c = 0; c < 2; ++c) {
    const auto factor = ScalarOf(site.input(c));
    if (factor && Near(*factor, 1.0f / 6.0f)) return site.node.inputs[1 - c];
  }
  return ir::kNoValue;
}

bool FindHardSigmoid(const Site& site) {
  const ir::ValueId six_times = InputOfSixth(site);
  if (six_times == ir::kNoValue) return false;
  const ir::ValueId x = InputOfRelu6Plus3(site, six_times);
  if (x == ir::kNoValue) return false;
  BecomeUnary(site, UnaryKind::HardSigmoid, x, 1.0f / 6.0f, 0.5f);
  return true;
}

// (x * Clip(x + 3, 0, 6)) / 6.
bool FindHardSwish(const Site& site) {
  const ir::ValueId product = InputOfSixth(site);
  if (product == ir::kNoValue) return false;
  const ir::Node* multiply = site.uses.producer[static_cast<size_t>(product)];
  if (multiply == nullptr || !IsBinary(*multiply, BinaryKind::Mul)) return false;
  for (size_t i = 0; i < 2; ++i) {
    const ir::ValueId x = multiply->inputs[i];
    if (InputOfRelu6Plus3(site, multiply->inputs[1 - i]) != x) continue;
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
        options.kind == UnaryKind::HardSigmoid && Near(options.a, 1.0f / 6.0f) && Near(options.b, 0.5f);
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
