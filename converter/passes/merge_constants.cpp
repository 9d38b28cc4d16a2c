// Multiplications by constants that follow each other are one, additions of constants too: (x * a) * b is x *
// (a * b).

#include <algorithm>
#include <utility>
#include <vector>

#include "converter/ir/budget.h"
#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::BinaryKind;

// The operand of a multiplication or addition that is a constant of floats; 2 if there is none, or only
// constants.
size_t ConstantOperand(const ir::Graph& graph, const ir::Node& node) {
  for (size_t i = 0; i < 2; ++i) {
    const ir::Value& value = graph.value(node.inputs[i]);
    if (!value.is_constant() || graph.value(node.inputs[1 - i]).is_constant()) continue;
    return value.dtype == DType::kFloat32 && value.quantization.empty() ? i : 2;
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

// The product or sum of constants, each of the same shape or of one element, as the operators of a chain
// compute it one after the other. Folding as many operators would take a thousand times as long.
class Merged {
 public:
  Merged(BinaryKind kind, const ir::Value& first)
      : kind_(kind), shape_(first.shape), elements_(Elements(first)) {}

  // False where the budget of the conversion is spent.
  bool Add(const ir::Value& next) {
    const std::vector<float> others = Elements(next);
    const bool grows = elements_.size() == 1;
    if (!Spend(ir::CurrentBudget(), MultiplyWork(others.size() + elements_.size(), kElementWork)).ok())
      return false;
    std::vector<float> results(grows ? others.size() : elements_.size());
    for (size_t i = 0; i < results.size(); ++i) {
      const float a = elements_[grows ? 0 : i], b = others[others.size() == 1 ? 0 : i];
      results[i] = kind_ == BinaryKind::Mul ? a * b : a + b;
    }
    elements_ = std::move(results);
    const size_t rank = std::max(shape_.size(), next.shape.size());
    if (grows) shape_ = next.shape;
    shape_.insert(shape_.begin(), rank - shape_.size(), 1);
    return true;
  }

  ir::ValueId AddTo(ir::Graph& graph, const std::string& name) const {
    return graph.AddConstantOf(name, shape_, elements_);
  }

 private:
  static std::vector<float> Elements(const ir::Value& value) {
    return {value.as<float>(), value.as<float>() + value.elements()};
  }

  const BinaryKind kind_;
  std::vector<int64_t> shape_;
  std::vector<float> elements_;
};

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
  Merged merged(kind, site.graph.value(constants.back()));
  for (size_t i = constants.size() - 1; i-- > 0;) {
    if (!merged.Add(site.graph.value(constants[i]))) return false;
  }
  node.inputs = {x, merged.AddTo(site.graph, node.name + "/Binary")};
  return true;
}

}  // namespace

Status MergeConstantOperands(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {schema::OpCode::Binary}, MergeConstant);
  return Status();
}

}  // namespace micrort::passes
