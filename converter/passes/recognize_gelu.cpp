// Recognizes Gelu, x / 2 * (1 + erf(x / sqrt(2))), and its approximation by tanh, however the factors of the
// product are arranged.

#include "converter/passes/passes.h"
#include "converter/passes/site_match.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

constexpr float kSqrtHalf = 0.70710678f;
constexpr float kSqrtTwoOverPi = 0.79788456f;
constexpr float kCubeFactor = 0.044715f;

struct Gate {
  ir::ValueId x = ir::kNoValue;  // kNoValue: not found
  UnaryKind kind = UnaryKind::Gelu;
};

// x + 0.044715 * x^3, or x * (1 + 0.044715 * x^2)
ir::ValueId OperandOfCubic(const Site& site, ir::ValueId id) {
  const ir::Node* node = ProducerOf(site, id);
  if (node == nullptr || node->code != schema::OpCode::Binary) return ir::kNoValue;
  for (size_t i = 0; i < 2; ++i) {
    const ir::ValueId x = node->inputs[i], other = node->inputs[1 - i];
    ir::ValueId in_power = ir::kNoValue;
    if (IsBinary(*node, BinaryKind::Add)) {
      in_power = OperandOfPower(site, OperandOfProduct(site, other, kCubeFactor), 3);
    } else if (IsBinary(*node, BinaryKind::Mul)) {
      const ir::ValueId term = OperandOfSum(site, other, 1);
      in_power = OperandOfPower(site, OperandOfProduct(site, term, kCubeFactor), 2);
    }
    if (in_power == x) return x;
  }
  return ir::kNoValue;
}

// 1 + erf(x / sqrt(2)) or 1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))
Gate FindGate(const Site& site, ir::ValueId id) {
  const ir::ValueId term = OperandOfSum(site, id, 1);
  const ir::ValueId in_erf = OperandOfUnary(site, term, UnaryKind::Erf);
  if (in_erf != ir::kNoValue) return {OperandOfProduct(site, in_erf, kSqrtHalf), UnaryKind::Gelu};
  const ir::ValueId in_tanh = OperandOfUnary(site, term, UnaryKind::Tanh);
  return {OperandOfCubic(site, OperandOfProduct(site, in_tanh, kSqrtTwoOverPi)), UnaryKind::GeluTanh};
}

// Mul and Div nodes that make one product are looked through to this depth: there are three factors and a
// constant.
constexpr int kLevels = 3;

bool IsProduct(const ir::Node& node) {
  return IsBinary(node, BinaryKind::Mul) || IsBinary(node, BinaryKind::Div);
}

// The first gate among the factors of a product.
Gate FindGateInProduct(const Site& site, const ir::Node& product, int levels) {
  for (const ir::ValueId factor : product.inputs) {
    Gate gate = FindGate(site, factor);
    const ir::Node* node = ProducerOf(site, factor);
    if (gate.x == ir::kNoValue && levels > 1 && node != nullptr && IsProduct(*node)) {
      gate = FindGateInProduct(site, *node, levels - 1);
    }
    if (gate.x != ir::kNoValue) return gate;
  }
  return {};
}

struct Product {
  float constant = 1;
  int gates = 0, operands = 0, others = 0;
};

// Counts the factors that are x, gates of x, and others.
void CountFactors(const Site& site, ir::ValueId id, ir::ValueId x, int levels, Product* product) {
  const ir::Node* node = ProducerOf(site, id);
  if (const auto scalar = ScalarOf(site.graph.value(id)); scalar) {
    product->constant *= *scalar;
  } else if (id == x) {
    ++product->operands;
  } else if (FindGate(site, id).x == x) {
    ++product->gates;
  } else if (levels == 0 || node == nullptr || !IsProduct(*node)) {
    ++product->others;
  } else if (IsBinary(*node, BinaryKind::Mul)) {
    for (const ir::ValueId factor : node->inputs) CountFactors(site, factor, x, levels - 1, product);
  } else if (const auto divisor = ScalarOf(site.graph.value(node->inputs[1])); divisor) {
    product->constant /= *divisor;
    CountFactors(site, node->inputs[0], x, levels - 1, product);
  } else {
    ++product->others;
  }
}

bool BecomeGelu(const Site& site) {
  if (!IsProduct(site.node) || site.output().dtype != DType::kFloat32) return false;
  const Gate gate = FindGateInProduct(site, site.node, kLevels);
  if (gate.x == ir::kNoValue || site.graph.value(gate.x).dtype != DType::kFloat32) return false;
  Product product;
  CountFactors(site, site.node.outputs[0], gate.x, kLevels, &product);
  if (product.gates != 1 || product.operands != 1 || product.others != 0) return false;
  if (!Near(product.constant, 0.5f) || !SameShape(site.graph.value(gate.x), site.output())) {
    return false;
  }
  BecomeUnary(site, gate.kind, gate.x);
  return true;
}

}  // namespace

Status RecognizeGelu(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Binary}, BecomeGelu);
  return Status();
}

}  // namespace micrort::passes
