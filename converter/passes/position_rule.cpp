#include "converter/passes/position_rule.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "converter/passes/match.h"

namespace micrort::passes {
namespace {

using ir::size::Expr;
using schema::BinaryKind;
using schema::OpCode;
using schema::UnaryKind;

constexpr int kDeepest = 64;  // of nodes that are followed: masks have a few dozen

LinearOfIndices Negated(LinearOfIndices x) {
  for (Expr& f : x.factors) f = -f;
  x.offset = -x.offset;
  return x;
}

LinearOfIndices Sum(LinearOfIndices a, const LinearOfIndices& b) {
  for (size_t d = 0; d < a.factors.size(); ++d) a.factors[d] = a.factors[d] + b.factors[d];
  a.offset = a.offset + b.offset;
  return a;
}
LinearOfIndices Difference(LinearOfIndices a, const LinearOfIndices& b) {
  return Sum(std::move(a), Negated(b));
}

LinearOfIndices Plus(LinearOfIndices a, int64_t n) {
  a.offset = a.offset + Expr(n);
  return a;
}

// The number that all elements are.
std::optional<int64_t> SameForAll(const LinearOfIndices& x) {
  const bool varies = std::any_of(x.factors.begin(), x.factors.end(), [](const Expr& f) { return !f.is(0); });
  return varies ? std::nullopt : x.offset.constant();
}

PositionRule Always(double x) { return {{}, {x, x}, {x, x}}; }

// The elements for which the condition is below 0.
LinearOfIndices Opposite(const LinearOfIndices& condition) { return Plus(Negated(condition), -1); }

// 1 where the condition holds, else 0. A condition and its opposite are written alike: the first factor is
// positive.
PositionRule Where(const LinearOfIndices& condition) {
  const auto first = std::find_if(condition.factors.begin(), condition.factors.end(),
                                  [](const Expr& factor) { return !factor.is(0); });
  if (first == condition.factors.end() || first->range().most >= 0) return {{condition}, {1, 1}, {0, 0}};
  return {{Opposite(condition)}, {0, 0}, {1, 1}};
}

// The result is 0 at least where the comparison holds, and below elsewhere.
std::optional<LinearOfIndices> Comparison(BinaryKind kind, const LinearOfIndices& a,
                                          const LinearOfIndices& b) {
  switch (kind) {
    case BinaryKind::Less:
      return Plus(Difference(b, a), -1);
    case BinaryKind::LessOrEqual:
      return Difference(b, a);
    case BinaryKind::Greater:
      return Plus(Difference(a, b), -1);
    case BinaryKind::GreaterOrEqual:
      return Difference(a, b);
    default:
      return std::nullopt;
  }
}

using RangeFunction = std::function<std::optional<NumberRange>(const std::vector<NumberRange>&)>;

using Conditions = std::vector<LinearOfIndices>;

NumberRange HullOfOthers(const std::vector<NumberRange>& ranges, size_t but) {
  NumberRange hull = ranges[but == 0 && ranges.size() > 1 ? 1 : 0];
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (i != but) hull = ir::Hull(hull, ranges[i]);
  }
  return hull;
}

// Which groups of conditions are to be outside where the result is `inside`: none, or, if nothing tells this
// result from all others, those for which it does. `results`: by a bit a group, which is set outside.
unsigned ToldApart(const std::vector<Conditions>& groups, const std::vector<NumberRange>& results) {
  for (unsigned outside = 0; outside < results.size(); ++outside) {
    bool can_be_told = true;
    for (size_t g = 0; g < groups.size(); ++g)
      can_be_told = can_be_told && ((outside >> g & 1u) == 0 || groups[g].size() == 1);
    const NumberRange others = HullOfOthers(results, outside), own = results[outside];
    if (can_be_told && (own.most < others.least || own.least > others.most)) return outside;
  }
  return 0;
}

// A function of rules: their conditions together decide where all of them are inside, or where one that has
// one condition is outside instead, as this has an opposite; elsewhere at least one group of rules with the
// same conditions is on the other side.
std::optional<PositionRule> CombineRules(const std::vector<PositionRule>& rules, const RangeFunction& f) {
  std::vector<Conditions> groups;
  for (const PositionRule& rule : rules) {
    const bool is_new = std::find(groups.begin(), groups.end(), rule.conditions) == groups.end();
    if (!rule.conditions.empty() && is_new) groups.push_back(rule.conditions);
  }
  std::vector<NumberRange> results;
  for (unsigned outside = 0; outside < 1u << groups.size(); ++outside) {
    std::vector<NumberRange> operands;
    for (const PositionRule& rule : rules) {
      const auto group = std::find(groups.begin(), groups.end(), rule.conditions) - groups.begin();
      const bool is_outside = !rule.conditions.empty() && (outside >> group & 1u) != 0;
      operands.push_back(is_outside ? rule.outside : rule.inside);
    }
    const std::optional<NumberRange> y = f(operands);
    if (!y) return std::nullopt;
    results.push_back(*y);
  }
  const unsigned outside = ToldApart(groups, results);
  PositionRule result = {{}, results[outside], HullOfOthers(results, outside)};
  for (size_t g = 0; g < groups.size(); ++g) {
    for (const LinearOfIndices& group : groups[g]) {
      const LinearOfIndices condition = (outside >> g & 1u) != 0 ? Opposite(group) : group;
      if (std::find(result.conditions.begin(), result.conditions.end(), condition) == result.conditions.end())
        result.conditions.push_back(condition);
    }
  }
  return result;
}

}  // namespace

PositionRules::PositionRules(const ir::Graph& graph, ir::ShapeInference& inference)
    : graph_(graph), inference_(inference), uses_(graph.ComputeUses()) {}

std::optional<PositionRule> PositionRules::RuleOf(ir::ValueId id) { return MeaningOf(id, 0).rule; }

bool PositionRules::HoldsAlways(const LinearOfIndices& condition, ir::ValueId tensor) {
  Expr least = condition.offset;
  for (size_t d = 0; d < condition.factors.size(); ++d) {
    const std::optional<int64_t> factor = condition.factors[d].constant();
    if (!factor) return false;
    if (*factor < 0) least = least + Expr(*factor) * (Dim(tensor, static_cast<int>(d)) - Expr(1));
  }
  return !least.is_unknown() && least.range().least >= 0;
}

PositionRules::Meaning PositionRules::MeaningOf(ir::ValueId id, int depth) {
  const auto known = found_.find(id);
  if (known != found_.end()) return known->second;
  if (id == ir::kNoValue || depth > kDeepest || !Sizes(id).has_rank) return {};
  return found_[id] = Find(id, depth + 1);
}

PositionRules::Meaning PositionRules::Find(ir::ValueId id, int depth) {
  const ir::Value& value = graph_.value(id);
  if (value.is_constant()) return OfConstant(value);
  const bool is_integer = value.dtype == DType::kInt64 || value.dtype == DType::kInt32;
  if (const std::optional<Expr> size = IntegerOf(id); size && is_integer)
    return {LinearOfIndices{std::vector<Expr>(static_cast<size_t>(Sizes(id).rank())), *size}, {}};
  const ir::Node* node = uses_.producer[static_cast<size_t>(id)];
  if (node == nullptr) return {};
  switch (node->code) {
    case OpCode::Binary:
      return OfBinary(*node, depth);
    case OpCode::Unary:
      return OfUnary(*node, depth);
    case OpCode::Cast:
      return OfCast(*node, depth);
    case OpCode::Select:
      return OfSelect(*node, depth);
    case OpCode::Expand:
      return Broadcast(*node, 0, depth);
    case OpCode::Reshape:
      return OfReshape(*node, depth);
    case OpCode::Transpose:
      return OfTranspose(*node, depth);
    case OpCode::Range:
      return OfRange(*node);
    case OpCode::CumulativeSum:
      return OfCumulativeSum(*node, depth);
    case OpCode::Reduce:
      return OfReduce(*node, depth);
    default:
      return {};
  }
}

std::optional<Expr> PositionRules::IntegerOf(ir::ValueId id) {
  const ir::size::SizedTensor tensor = Sizes(id);
  if (!tensor.values || tensor.values->size() != 1) return std::nullopt;
  const Expr e = (*tensor.values)[0].integer();
  return e.is_unknown() ? std::nullopt : std::make_optional(e);
}

// Constants count if they grow by the same step along a dimension, as positions do, or are all the same.
PositionRules::Meaning PositionRules::OfIntegers(const std::vector<int64_t>& x,
                                                 const std::vector<int64_t>& shape) {
  constexpr int64_t kMost = int64_t{1} << 40;  // no sum of which overflows
  const auto is_moderate = [](int64_t e) { return e >= -kMost && e <= kMost; };
  if (!std::all_of(x.begin(), x.end(), is_moderate)) return {};
  const int64_t step = x.size() > 1 ? x[1] - x[0] : 0;
  for (size_t i = 1; i < x.size(); ++i) {
    if (x[i] - x[i - 1] != step) return {};
  }
  std::vector<Expr> factors;
  for (const int64_t dim : shape) {
    const bool is_all = dim == static_cast<int64_t>(x.size());
    if (dim != 1 && !is_all && step != 0) return {};
    factors.emplace_back(dim == 1 ? 0 : step);
  }
  return {LinearOfIndices{std::move(factors), Expr(x[0])}, {}};
}

PositionRules::Meaning PositionRules::OfConstant(const ir::Value& value) {
  if (value.elements() < 1) return {};
  if (const auto integers = Integers(value)) return OfIntegers(*integers, value.shape);
  if (value.dtype == DType::kFloat32) {
    const float* const x = value.as<float>();
    const bool is_same = std::all_of(x, x + value.elements(), [x](float e) { return e == x[0]; });
    return is_same ? Meaning{{}, Always(x[0])} : Meaning();
  }
  if (value.dtype != DType::kBool) return {};
  const auto& x = *value.data;
  const bool is_same = std::all_of(x.begin(), x.end(), [&x](uint8_t e) { return e == x[0]; });
  return is_same ? Meaning{{}, Always(x[0] != 0)} : Meaning();
}

PositionRules::Meaning PositionRules::OfBinary(const ir::Node& node, int depth) {
  const BinaryKind kind = node.as<schema::BinaryOptionsT>().kind;
  if (!IsBinary(node, kind)) return {};
  Meaning a = Broadcast(node, 0, depth), b = Broadcast(node, 1, depth);
  if (a.number && b.number) {
    if (kind == BinaryKind::Add) return {Sum(*a.number, *b.number), {}};
    if (kind == BinaryKind::Sub) return {Difference(*a.number, *b.number), {}};
    return {{}, RuleOfComparison(node, *a.number, *b.number)};
  }
  if (!a.rule || !b.rule) return {};
  return {{}, CombineRules({*a.rule, *b.rule}, [kind](const std::vector<NumberRange>& x) {
            return ir::BinaryRange(kind, x[0], x[1]);
          })};
}

std::optional<PositionRule> PositionRules::RuleOfComparison(const ir::Node& node, const LinearOfIndices& a,
                                                            const LinearOfIndices& b) {
  const BinaryKind kind = node.as<schema::BinaryOptionsT>().kind;
  if (kind == BinaryKind::Equal) {
    const auto x = SameForAll(a), y = SameForAll(b);
    return x && y ? std::make_optional(Always(*x == *y)) : std::nullopt;
  }
  const std::optional<LinearOfIndices> condition = Comparison(kind, a, b);
  if (!condition) return std::nullopt;
  if (HoldsAlways(*condition, node.outputs[0])) return Always(1);
  return HoldsAlways(Opposite(*condition), node.outputs[0]) ? Always(0) : Where(*condition);
}

PositionRules::Meaning PositionRules::OfUnary(const ir::Node& node, int depth) {
  const auto& options = node.as<schema::UnaryOptionsT>();
  const Meaning x = MeaningOf(node.inputs[0], depth);
  if (options.kind == UnaryKind::Identity) return x;
  if (x.number && options.kind == UnaryKind::Neg) return {Negated(*x.number), {}};
  if (!x.rule) return {};
  return {{}, CombineRules({*x.rule}, [&options](const std::vector<NumberRange>& in) {
            return ir::UnaryRange(options, in[0]);
          })};
}

PositionRules::Meaning PositionRules::OfCast(const ir::Node& node, int depth) {
  const DType from = graph_.value(node.inputs[0]).dtype, to = graph_.value(node.outputs[0]).dtype;
  const Meaning x = MeaningOf(node.inputs[0], depth);
  const bool is_integer = to == DType::kInt64 || to == DType::kInt32;
  if (x.number) {
    const std::optional<int64_t> same = SameForAll(*x.number);
    if (is_integer) return x;
    if (!same || (to != DType::kFloat32 && to != DType::kBool)) return {};
    return {{}, Always(to == DType::kBool ? *same != 0 : static_cast<double>(static_cast<float>(*same)))};
  }
  // Integers that are 0 or 1 have rules, and so do floats that stay floats.
  if (!x.rule || (from != DType::kBool && from != to)) return {};
  return is_integer || to == DType::kFloat32 || to == DType::kBool ? x : Meaning();
}

PositionRules::Meaning PositionRules::OfSelect(const ir::Node& node, int depth) {
  const Meaning condition = Broadcast(node, 0, depth), yes = Broadcast(node, 1, depth),
                no = Broadcast(node, 2, depth);
  if (!condition.rule || !yes.rule || !no.rule) return {};
  return {{}, CombineRules({*condition.rule, *yes.rule, *no.rule}, [](const std::vector<NumberRange>& x) {
            return std::make_optional(x[0].least > 0 ? x[1] : x[0].most < 1 ? x[2] : ir::Hull(x[1], x[2]));
          })};
}

}  // namespace micrort::passes
