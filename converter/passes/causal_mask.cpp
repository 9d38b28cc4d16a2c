// Attention over a cache whose mask says no more than that later positions, and those before a window, are
// not seen: the operator knows that itself, and reads the cache where it lies.

#include <algorithm>
#include <limits>
#include <optional>

#include "converter/passes/keeps_caches.h"
#include "converter/passes/passes.h"
#include "converter/passes/position_rule.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using ir::size::Expr;

constexpr size_t kQuery = 0, kKey = 1, kMask = 3;

// Scores of trained networks are 1e-23 of it at most, and vanish beside it: weights are 0, as of -infinity.
// A position that sees others always sees itself.
constexpr double kMasked = -1e30;

class MaskRemover {
 public:
  MaskRemover(const ir::Graph& graph, ir::ShapeInference& inference) : rules_(graph, inference) {}

  bool Remove(ir::Node* node) {
    if (node->code != schema::OpCode::Attention || !node->has_input(kMask)) return false;
    auto& options = node->as<schema::AttentionOptionsT>();
    const Expr queries = rules_.Dim(node->inputs[kQuery], options.query_by_head ? 2 : 1),
               keys = rules_.Dim(node->inputs[kKey], options.key_by_head ? 2 : 1), before = keys - queries;
    const std::optional<PositionRule> rule = rules_.RuleOf(node->inputs[kMask]);
    if (!rule || rule->inside.least != 0 || rule->inside.most != 0) return false;
    bool is_causal = options.causal;
    int64_t window = options.window;
    for (const LinearOfIndices& condition : rule->conditions) {
      const bool hides_later = IsCausal(condition, before);
      const int64_t of_condition = hides_later ? 0 : WindowOf(condition, before, queries.is(1));
      if (!hides_later && of_condition == 0) return false;
      is_causal = is_causal || hides_later;
      if (of_condition != 0) window = window == 0 ? of_condition : std::min(window, of_condition);
    }
    // The operator takes no more queries than keys.
    const bool fits = !before.is_unknown() && before.range().least >= 0, hides = !rule->conditions.empty();
    if (hides && (!fits || rule->outside.most > kMasked)) return false;
    is_causal = is_causal || (fits && queries.is(1));
    if (window != 0 && !is_causal) return false;
    options.causal = is_causal;
    options.window = static_cast<int32_t>(window);
    node->inputs[kMask] = ir::kNoValue;
    while (node->inputs.back() == ir::kNoValue) node->inputs.pop_back();
    return true;
  }

  // A Select that always takes its first choice, as of the rows of a mask that all see something, becomes
  // that.
  bool TakeFirst(ir::Node* node) {
    constexpr size_t kChoice = 1;
    if (node->code != schema::OpCode::Select) return false;
    const std::optional<PositionRule> rule = rules_.RuleOf(node->inputs[0]);
    if (!rule || !rule->conditions.empty() || rule->inside.least < 1) return false;
    const ir::ValueId choice = node->inputs[kChoice];
    if (rules_.ShapeOf(choice) != rules_.ShapeOf(node->outputs[0])) return false;
    schema::UnaryOptionsT identity;
    identity.kind = schema::UnaryKind::Identity;
    node->code = schema::OpCode::Unary;
    node->options.Set(std::move(identity));
    node->inputs = {choice};
    return true;
  }

 private:
  // The condition lets query i see key j if j is at most `before` + i.
  static bool IsCausal(const LinearOfIndices& condition, const Expr& before) {
    return HasFactors(condition, 1, -1, false) && condition.offset == before;
  }

  // The window W if the condition lets query i see key j only if j is more than `before` + i - W; else 0.
  static int64_t WindowOf(const LinearOfIndices& condition, const Expr& before, bool has_one_query) {
    if (!HasFactors(condition, -1, 1, has_one_query)) return 0;
    const std::optional<int64_t> window = (condition.offset + before + 1).constant();
    return window && *window >= 1 && *window <= std::numeric_limits<int32_t>::max() ? *window : 0;
  }

  // Whether the condition has these factors of the last two indices, those of query and key, and none of any
  // other index. The index of the only query has no factor.
  static bool HasFactors(const LinearOfIndices& condition, int64_t of_query, int64_t of_key,
                         bool has_one_query) {
    const size_t rank = condition.factors.size();
    if (rank < 2 || !condition.factors[rank - 2].is(has_one_query ? 0 : of_query) ||
        !condition.factors[rank - 1].is(of_key))
      return false;
    const auto end = condition.factors.end() - 2;
    return std::all_of(condition.factors.begin(), end, [](const Expr& f) { return f.is(0); });
  }

  PositionRules rules_;
};

}  // namespace

Status RemoveCausalMasks(ir::Graph& graph, bool* changed) {
  const auto is_masked = [](const auto& node) {
    return node->code == schema::OpCode::Attention && node->has_input(kMask);
  };
  if (!KeepsCaches(graph) || std::none_of(graph.nodes.begin(), graph.nodes.end(), is_masked)) return Status();
  ir::ShapeInference inference(graph);
  for (const auto& node : graph.nodes) {
    if (Status s = inference.Visit(*node); !s.ok()) return s.WithPrefix("%s", ir::Describe(*node).c_str());
  }
  MaskRemover remover(graph, inference);
  bool removed = false;
  for (const auto& node : graph.nodes) removed |= remover.Remove(node.get());
  for (const auto& node : graph.nodes) removed |= remover.TakeFirst(node.get());
  if (removed) RemoveDeadNodes(graph);
  *changed |= removed;
  return Status();
}

}  // namespace micrort::passes
