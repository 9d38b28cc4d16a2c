#include "converter/passes/site_match.h"

#include <algorithm>
#include <cmath>

namespace micrort::passes {
namespace {

using schema::BinaryKind;

const ir::Node* BinaryNode(const Site& site, ir::ValueId id, BinaryKind kind) {
  const ir::Node* node = ProducerOf(site, id);
  return node != nullptr && IsBinary(*node, kind) ? node : nullptr;
}

bool IsScalar(const Site& site, ir::ValueId id, float c) {
  const auto scalar = ScalarOf(site.graph.value(id));
  return scalar && Near(*scalar, c);
}

// The operand beside a constant c; either may come first.
ir::ValueId OperandBeside(const Site& site, const ir::Node& node, float c) {
  for (size_t i = 0; i < 2; ++i) {
    if (IsScalar(site, node.inputs[i], c)) return node.inputs[1 - i];
  }
  return ir::kNoValue;
}

ir::ValueId OperandOfSquare(const Site& site, ir::ValueId id) {
  const ir::Node* product = BinaryNode(site, id, BinaryKind::Mul);
  return product != nullptr && product->inputs[0] == product->inputs[1] ? product->inputs[0] : ir::kNoValue;
}

ir::ValueId OperandOfCube(const Site& site, ir::ValueId id) {
  const ir::Node* product = BinaryNode(site, id, BinaryKind::Mul);
  for (size_t i = 0; product != nullptr && i < 2; ++i) {
    const ir::ValueId v = OperandOfPower(site, product->inputs[i], 2);
    if (v != ir::kNoValue && v == product->inputs[1 - i]) return v;
  }
  return ir::kNoValue;
}

}  // namespace

bool Near(float a, float b) { return std::fabs(a - b) <= 1e-6f * std::max(1.0f, std::fabs(b)); }

ir::Node* ProducerOf(const Site& site, ir::ValueId id) {
  return id == ir::kNoValue ? nullptr : site.uses.producer(id);
}

ir::ValueId OperandOfUnary(const Site& site, ir::ValueId id, schema::UnaryKind kind) {
  const ir::Node* node = ProducerOf(site, id);
  return node != nullptr && IsUnary(*node, kind) ? node->inputs[0] : ir::kNoValue;
}

ir::ValueId OperandOfSum(const Site& site, ir::ValueId id, float c) {
  const ir::Node* sum = BinaryNode(site, id, BinaryKind::Add);
  return sum == nullptr ? ir::kNoValue : OperandBeside(site, *sum, c);
}

ir::ValueId OperandOfProduct(const Site& site, ir::ValueId id, float c) {
  if (const ir::Node* product = BinaryNode(site, id, BinaryKind::Mul); product != nullptr) {
    return OperandBeside(site, *product, c);
  }
  const ir::Node* quotient = BinaryNode(site, id, BinaryKind::Div);
  return quotient != nullptr && IsScalar(site, quotient->inputs[1], 1 / c) ? quotient->inputs[0]
                                                                           : ir::kNoValue;
}

ir::ValueId OperandOfPower(const Site& site, ir::ValueId id, float c) {
  const ir::Node* power = BinaryNode(site, id, BinaryKind::Pow);
  if (power != nullptr && IsScalar(site, power->inputs[1], c)) return power->inputs[0];
  if (c == 2) return OperandOfSquare(site, id);
  return c == 3 ? OperandOfCube(site, id) : ir::kNoValue;
}

ir::ValueId OperandOfReciprocal(const Site& site, ir::ValueId id) {
  const ir::Node* quotient = BinaryNode(site, id, BinaryKind::Div);
  if (quotient != nullptr && IsScalar(site, quotient->inputs[0], 1)) return quotient->inputs[1];
  return OperandOfUnary(site, id, schema::UnaryKind::Reciprocal);
}

void BecomeUnary(const Site& site, schema::UnaryKind kind, ir::ValueId x, float a, float b) {
  schema::UnaryOptionsT options;
  options.kind = kind;
  options.a = a;
  options.b = b;
  site.node.code = schema::OpCode::Unary;
  site.node.options.Set(std::move(options));
  site.node.inputs = {x};
}

}  // namespace micrort::passes
