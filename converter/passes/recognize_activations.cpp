// Recognizes activations that exporters spell out by elementary functions: Sigmoid, Softplus, Mish.

#include "converter/passes/passes.h"
#include "converter/passes/site_match.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

// 1 / (1 + exp(-x))
bool FindSigmoid(const Site& site) {
  const ir::ValueId divisor = OperandOfReciprocal(site, site.node.outputs[0]);
  const ir::ValueId exponent = OperandOfUnary(site, OperandOfSum(site, divisor, 1), UnaryKind::Exp);
  ir::ValueId x = OperandOfUnary(site, exponent, UnaryKind::Neg);
  if (x == ir::kNoValue) x = OperandOfProduct(site, exponent, -1);
  if (x == ir::kNoValue) return false;
  BecomeUnary(site, UnaryKind::Sigmoid, x);
  return true;
}

// log(1 + exp(x))
bool FindSoftplus(const Site& site) {
  const ir::ValueId sum = OperandOfUnary(site, site.node.outputs[0], UnaryKind::Log);
  const ir::ValueId x = OperandOfUnary(site, OperandOfSum(site, sum, 1), UnaryKind::Exp);
  if (x == ir::kNoValue) return false;
  BecomeUnary(site, UnaryKind::Softplus, x);
  return true;
}

// x * tanh(softplus(x))
bool FindMish(const Site& site) {
  if (!IsBinary(site.node, BinaryKind::Mul)) return false;
  for (size_t i = 0; i < 2; ++i) {
    const ir::ValueId x = site.node.inputs[i];
    const ir::ValueId gate = OperandOfUnary(site, site.node.inputs[1 - i], UnaryKind::Tanh);
    if (OperandOfUnary(site, gate, UnaryKind::Softplus) != x) continue;
    BecomeUnary(site, UnaryKind::Mish, x);
    return true;
  }
  return false;
}

}  // namespace

Status RecognizeActivations(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, [](const Site& site) {
    if (site.output().dtype != DType::kFloat32) return false;
    return FindSigmoid(site) || FindSoftplus(site) || FindMish(site);
  });
  return Status();
}

}  // namespace micrort::passes
