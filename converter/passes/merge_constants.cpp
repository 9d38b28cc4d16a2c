// Two multiplications by constants are one, two additions of constants too: (x * a) * b is x * (a * b).
// Constant folding does the rest.

#include <utility>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;

// The constant operand of a multiplication or addition; 2 if there is none, or only constants.
size_t ConstantOperand(const ir::Graph& graph, const ir::Node& node) {
  for (size_t i = 0; i < 2; ++i) {
    if (graph.value(node.inputs[i]).is_constant() && !graph.value(node.inputs[1 - i]).is_constant()) return i;
  }
  return 2;
}

// Whether the result is no larger than the operands together: rows times columns would be.
bool StaysSmall(const ir::Value& a, const ir::Value& b) {
  return a.shape == b.shape || a.elements() == 1 || b.elements() == 1;
}

bool MergeConstant(const Site& site) {
  ir::Node& node = site.node;
  if (!IsBinary(node, BinaryKind::Mul) && !IsBinary(node, BinaryKind::Add)) return false;
  if (site.output().dtype != DType::kFloat32) return false;
  const BinaryKind kind = node.as<schema::BinaryOptionsT>().kind;
  const size_t outer = ConstantOperand(site.graph, node);
  if (outer == 2) return false;
  const ir::Node* before = site.own_producer(1 - outer);
  if (before == nullptr || !IsBinary(*before, kind)) return false;
  const size_t inner = ConstantOperand(site.graph, *before);
  if (inner == 2 || !site.input(1 - outer).quantization.empty()) return false;

  if (!StaysSmall(site.graph.value(before->inputs[inner]), site.input(outer))) return false;
  const ir::ValueId x = before->inputs[1 - inner];
  const ir::ValueId merged = site.Build().Binary(kind, before->inputs[inner], node.inputs[outer]);
  node.inputs = {x, merged};
  return true;
}

}  // namespace

Status MergeConstantOperands(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, MergeConstant);
  return Status();
}

}  // namespace micrort::passes
