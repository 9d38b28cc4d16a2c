// Multiplications by constants that follow each other are one, additions of constants too: (x * a) * b is x *
// (a * b). Constant folding does the rest.

#include <utility>
#include <vector>

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

// The operator before `node` that does the same with a constant, for nothing else; null if there is none.
ir::Node* Before(const Site& site, const ir::Node& node) {
  if (!IsBinary(node, BinaryKind::Mul) && !IsBinary(node, BinaryKind::Add)) return nullptr;
  const size_t outer = ConstantOperand(site.graph, node);
  if (outer == 2) return nullptr;
  const ir::ValueId between = node.inputs[1 - outer];
  ir::Node* before = site.uses.producer(between);
  if (before == nullptr || site.uses.single_consumer(between) != &node) return nullptr;
  if (!IsBinary(*before, node.as<schema::BinaryOptionsT>().kind)) return nullptr;
  const size_t inner = ConstantOperand(site.graph, *before);
  const ir::Value& value = site.graph.value(between);
  if (inner == 2 || value.dtype != DType::kFloat32 || !value.quantization.empty()) return nullptr;
  const bool is_small =
      StaysSmall(site.graph.value(before->inputs[inner]), site.graph.value(node.inputs[outer]));
  return is_small ? before : nullptr;
}

// A whole chain at once, at its last operator: every change takes a look at all of the graph.
bool MergeConstant(const Site& site) {
  ir::Node& node = site.node;
  const ir::Node* before = Before(site, node);
  if (before == nullptr || site.output().dtype != DType::kFloat32) return false;
  const ir::Node* after = site.only_consumer();
  if (after != nullptr && Before(site, *after) == &node) return false;

  const size_t outer = ConstantOperand(site.graph, node);
  std::vector<ir::ValueId> constants = {node.inputs[outer]};
  ir::ValueId x = node.inputs[1 - outer], largest = constants[0];
  for (; before != nullptr; before = Before(site, *before)) {
    const size_t inner = ConstantOperand(site.graph, *before);
    const ir::ValueId constant = before->inputs[inner];
    if (!StaysSmall(site.graph.value(constant), site.graph.value(largest))) break;
    if (site.graph.value(constant).elements() > site.graph.value(largest).elements()) largest = constant;
    constants.push_back(constant);
    x = before->inputs[1 - inner];
  }
  const BinaryKind kind = node.as<schema::BinaryOptionsT>().kind;
  ir::ValueId merged = constants.back();
  for (size_t i = constants.size() - 1; i-- > 0;) merged = site.Build().Binary(kind, merged, constants[i]);
  node.inputs = {x, merged};
  return true;
}

}  // namespace

Status MergeConstantOperands(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Binary}, MergeConstant);
  return Status();
}

}  // namespace micrort::passes
