// PRelu out of its parts, as networks without an operator for it spell it: relu(x) plus slopes times what is
// below zero.

#include <cmath>
#include <limits>

#include "converter/passes/passes.h"
#include "converter/passes/site_match.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

// x of max(x, 0)
ir::ValueId OperandOfRelu(const Site& site, ir::ValueId id) {
  const ir::Node* node = ProducerOf(site, id);
  if (node == nullptr || !IsUnary(*node, UnaryKind::Clip)) return ir::kNoValue;
  const auto& clip = node->as<schema::UnaryOptionsT>();
  return clip.a == 0 && clip.b >= std::numeric_limits<float>::max() ? node->inputs[0] : ir::kNoValue;
}

ir::ValueId OperandOfNegation(const Site& site, ir::ValueId id) {
  const ir::ValueId x = OperandOfUnary(site, id, UnaryKind::Neg);
  return x != ir::kNoValue ? x : OperandOfProduct(site, id, -1);
}

// How often min(x, 0) the value is; 0: it is something else.
float TimesBelowZero(const Site& site, ir::ValueId id, ir::ValueId x) {
  // -max(-x, 0), and that without its sign
  const ir::ValueId negated = OperandOfNegation(site, id);
  if (negated != ir::kNoValue && OperandOfNegation(site, OperandOfRelu(site, negated)) == x) return 1;
  if (OperandOfNegation(site, OperandOfRelu(site, id)) == x) return -1;
  // x - |x|
  const ir::Node* difference = ProducerOf(site, id);
  if (difference == nullptr || !IsBinary(*difference, BinaryKind::Sub)) return 0;
  const bool is_twice =
      difference->inputs[0] == x && OperandOfUnary(site, difference->inputs[1], UnaryKind::Abs) == x;
  return is_twice ? 2 : 0;
}

ir::ValueId SlopesOf(const Site& site, ir::ValueId constant, float times) {
  const ir::Value& given = site.graph.value(constant);
  if (times == 1) return constant;
  std::vector<float> slopes(given.as<float>(), given.as<float>() + given.elements());
  for (float& slope : slopes) slope *= times;
  return site.graph.AddConstantOf(given.name, given.shape, slopes);
}

// slopes * min(x, 0); kNoValue where the value is something else.
ir::ValueId FindSlopes(const Site& site, ir::ValueId id, ir::ValueId x) {
  const ir::Node* product = ProducerOf(site, id);
  if (product == nullptr || !IsBinary(*product, BinaryKind::Mul)) return ir::kNoValue;
  for (size_t i = 0; i < 2; ++i) {
    const ir::Value& constant = site.graph.value(product->inputs[i]);
    if (!constant.is_constant() || constant.dtype != DType::kFloat32) continue;
    const float times = TimesBelowZero(site, product->inputs[1 - i], x);
    if (times != 0) return SlopesOf(site, product->inputs[i], times);
  }
  return ir::kNoValue;
}

bool FindPRelu(const Site& site) {
  ir::Node& node = site.node;
  if (!IsBinary(node, BinaryKind::Add) || site.output().dtype != DType::kFloat32) return false;
  for (size_t i = 0; i < 2; ++i) {
    const ir::ValueId x = OperandOfRelu(site, node.inputs[i]);
    if (x == ir::kNoValue || !SameShape(site.graph.value(x), site.output())) continue;
    const ir::ValueId slopes = FindSlopes(site, node.inputs[1 - i], x);
    if (slopes == ir::kNoValue) continue;
    node.as<schema::BinaryOptionsT>().kind = BinaryKind::PRelu;
    node.inputs = {x, slopes};
    return true;
  }
  return false;
}

}  // namespace

Status RecognizePRelu(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Binary}, FindPRelu);
  return Status();
}

}  // namespace micrort::passes
