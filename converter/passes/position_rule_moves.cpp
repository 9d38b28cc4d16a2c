// Positions and masks as operators move them, and where positions come from.

#include <algorithm>
#include <utility>

#include "converter/passes/match.h"
#include "converter/passes/position_rule.h"

namespace micrort::passes {
namespace {

using ir::size::Expr;

constexpr size_t kNone = static_cast<size_t>(-1);

// The dimension that each of `to` is, where only dimensions of size 1 come and go; kNone of these.
std::optional<std::vector<size_t>> DimsBehindOnes(const std::vector<Expr>& from,
                                                  const std::vector<Expr>& to) {
  std::vector<size_t> source;
  size_t at = 0;
  const auto skip_ones = [&] {
    while (at < from.size() && from[at].is(1)) ++at;
  };
  for (const Expr& dim : to) {
    source.push_back(kNone);
    if (dim.is(1)) continue;
    skip_ones();
    if (at == from.size() || from[at] != dim) return std::nullopt;
    source.back() = at++;
  }
  skip_ones();
  return at == from.size() ? std::make_optional(source) : std::nullopt;
}

}  // namespace

PositionRules::Meaning PositionRules::Moved(Meaning x, const std::vector<size_t>& source) {
  const auto move = [&source](LinearOfIndices* linear) {
    std::vector<Expr> factors;
    for (const size_t dim : source) factors.push_back(dim == kNone ? Expr(0) : linear->factors[dim]);
    linear->factors = std::move(factors);
  };
  if (x.number) move(&*x.number);
  if (x.rule) {
    for (LinearOfIndices& condition : x.rule->conditions) move(&condition);
  }
  return x;
}

PositionRules::Meaning PositionRules::Broadcast(const ir::Node& node, size_t input, int depth) {
  Meaning x = MeaningOf(node.inputs[input], depth);
  if (x.is_unknown()) return {};
  const ir::size::SizedTensor from = Sizes(node.inputs[input]), to = Sizes(node.outputs[0]);
  if (!to.has_rank || from.rank() > to.rank()) return {};
  std::vector<size_t> source(to.shape.size() - from.shape.size(), kNone);
  for (size_t d = 0; d < from.shape.size(); ++d) {
    const Expr& dim = to.shape[source.size()];
    if (!from.shape[d].is(1) && from.shape[d] != dim) return {};
    source.push_back(d);
  }
  return Moved(std::move(x), source);
}

PositionRules::Meaning PositionRules::OfReshape(const ir::Node& node, int depth) {
  Meaning x = MeaningOf(node.inputs[0], depth);
  if (x.is_unknown() || !Sizes(node.outputs[0]).has_rank) return {};
  const auto source = DimsBehindOnes(Sizes(node.inputs[0]).shape, Sizes(node.outputs[0]).shape);
  return source ? Moved(std::move(x), *source) : Meaning();
}

PositionRules::Meaning PositionRules::OfTranspose(const ir::Node& node, int depth) {
  Meaning x = MeaningOf(node.inputs[0], depth);
  const auto& permutation = node.as<schema::TransposeOptionsT>().permutation;
  return x.is_unknown() ? x : Moved(std::move(x), {permutation.begin(), permutation.end()});
}

PositionRules::Meaning PositionRules::OfRange(const ir::Node& node) {
  const std::optional<Expr> first = IntegerOf(node.inputs[0]), step = IntegerOf(node.inputs[2]);
  if (!first || !step || !step->constant()) return {};
  return {LinearOfIndices{{*step}, *first}, {}};
}

// Sums of ones, or of another number, count positions.
PositionRules::Meaning PositionRules::OfCumulativeSum(const ir::Node& node, int depth) {
  const auto& options = node.as<schema::CumulativeSumOptionsT>();
  const Meaning x = MeaningOf(node.inputs[0], depth);
  const std::optional<Expr> axis = IntegerOf(node.inputs[1]);
  if (!x.number || options.reverse || options.product || !axis || !axis->constant()) return {};
  const auto is_zero = [](const Expr& factor) { return factor.is(0); };
  const std::optional<int64_t> step = x.number->offset.constant();
  if (!step || !std::all_of(x.number->factors.begin(), x.number->factors.end(), is_zero)) return {};
  LinearOfIndices sum = {x.number->factors, Expr(options.exclusive ? 0 : *step)};
  const int64_t rank = static_cast<int64_t>(sum.factors.size()),
                at = *axis->constant() < 0 ? *axis->constant() + rank : *axis->constant();
  if (at < 0 || at >= rank) return {};
  if (!Dim(node.inputs[0], static_cast<int>(at)).is(1)) sum.factors[static_cast<size_t>(at)] = *step;
  return {std::move(sum), {}};
}

PositionRules::Meaning PositionRules::OfReduce(const ir::Node& node, int depth) {
  const auto& options = node.as<schema::ReduceOptionsT>();
  const ir::ValueId x = node.inputs[0];
  const bool is_of_rows = options.kind == schema::ReduceKind::Max && options.keep_dims &&
                          options.axes.size() == 1 && options.axes[0] == Sizes(x).rank() - 1;
  const std::optional<PositionRule> rule = is_of_rows ? MeaningOf(x, depth).rule : std::nullopt;
  if (!rule || rule->inside.least < rule->outside.most) return {};
  const bool has_inside =
      rule->conditions.empty() ||
      std::any_of(rule->conditions.begin(), rule->conditions.end(),
                  [&](const LinearOfIndices& c) { return IsInsideSomewhere(*rule, c, x); });
  if (!has_inside) return {};
  return {{}, PositionRule{{}, rule->inside, rule->inside}};
}

// Whether each row of the tensor has an element at which the condition, one of the rule's, is 0, and all
// others hold.
bool PositionRules::IsInsideSomewhere(const PositionRule& rule, const LinearOfIndices& condition,
                                      ir::ValueId tensor) {
  if (condition.factors.empty()) return false;
  const Expr& step = condition.factors.back();
  if (!step.is(1) && !step.is(-1)) return false;
  // The index of that element, linear in all other indices.
  LinearOfIndices at = condition;
  for (Expr& factor : at.factors) factor = -step * factor;
  at.offset = -step * at.offset;
  at.factors.back() = 0;
  const auto plus = [&at](LinearOfIndices x, const Expr& times) {
    for (size_t d = 0; d < x.factors.size(); ++d) x.factors[d] = x.factors[d] + times * at.factors[d];
    x.offset = x.offset + times * at.offset;
    return x;
  };
  LinearOfIndices last;
  last.factors.resize(at.factors.size());
  last.offset = Dim(tensor, static_cast<int>(at.factors.size()) - 1) - Expr(1);
  if (!HoldsAlways(at, tensor) || !HoldsAlways(plus(last, Expr(-1)), tensor)) return false;
  return std::all_of(rule.conditions.begin(), rule.conditions.end(), [&](LinearOfIndices other) {
    const Expr times = other.factors.back();
    other.factors.back() = 0;
    return HoldsAlways(plus(std::move(other), times), tensor);
  });
}

}  // namespace micrort::passes
