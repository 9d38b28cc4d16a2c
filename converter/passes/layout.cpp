// Cancels Transposes, or moves them to where they move the fewest bytes.

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "converter/ir/budget.h"
#include "converter/passes/layout/region.h"
#include "converter/passes/layout/relayout.h"
#include "converter/passes/passes.h"

namespace micrort::passes {
namespace {

bool IsSeed(const ir::Graph& graph, const ir::Node& node) {
  if (node.code != schema::OpCode::Transpose) return false;
  const ir::Value& input = graph.value(node.inputs[0]);
  const Order permutation = node.as<schema::TransposeOptionsT>().permutation;
  return input.has_shape && !input.is_constant() && !IsIdentity(permutation);
}

// The whole graph is gone through with another layout.
Status SpendOn(size_t nodes) {
  constexpr uint64_t kNodeWork = 200 * kElementWork;
  return Spend(ir::CurrentBudget(), MultiplyWork(nodes, kNodeWork));
}

// Plans of regions far enough from each other that what each of them saves can be told apart, so that one
// look at the whole graph does for all of them.
class Batch {
 public:
  explicit Batch(ir::Graph& graph) : graph_(graph), as_it_is_(graph, none_) {}

  // False where it shares a value with another one.
  bool Add(const LayoutPlan& plan) {
    std::unordered_set<ir::ValueId> roots;
    for (const auto& [node, orders] : plan) {
      for (const ir::ValueId id : node->inputs) AddRoot(id, &roots);
      for (const ir::ValueId id : node->outputs) AddRoot(id, &roots);
    }
    for (const ir::ValueId root : roots) {
      if (taken_.count(root) != 0) return false;
    }
    taken_.insert(roots.begin(), roots.end());
    plans_.push_back({plan, std::move(roots)});
    return true;
  }

  // Carries out those that make the graph better; whether there were any.
  bool Commit() {
    if (plans_.empty()) return false;
    LayoutPlan all;
    for (const Planned& planned : plans_) all.insert(planned.plan.begin(), planned.plan.end());
    Relayout with_all(graph_, all);
    LayoutPlan good;
    for (const Planned& planned : plans_) {
      LayoutCost before, after;
      for (const ir::ValueId root : planned.roots) {
        before.Add(as_it_is_.CostOf(root));
        after.Add(with_all.CostOf(root));
      }
      if (after < before) good.insert(planned.plan.begin(), planned.plan.end());
    }
    if (good.empty()) return false;
    Relayout(graph_, good).Commit();
    return true;
  }

 private:
  struct Planned {
    LayoutPlan plan;
    std::unordered_set<ir::ValueId> roots;  // whose Transposes it may change
  };

  // Constants are reordered here and now, for each of their readers.
  void AddRoot(ir::ValueId id, std::unordered_set<ir::ValueId>* roots) const {
    if (id == ir::kNoValue) return;
    const ir::ValueId root = as_it_is_.RootOf(id);
    if (!graph_.value(root).is_constant()) roots->insert(root);
  }

  ir::Graph& graph_;
  const LayoutPlan none_;
  const Relayout as_it_is_;
  std::vector<Planned> plans_;
  std::unordered_set<ir::ValueId> taken_;
};

// One attempt at every region; `better` says whether one was worth it. Those that are too near to another one
// wait until that has been tried.
Status SweepLayouts(ir::Graph& graph, bool* better) {
  *better = false;
  const auto uses = graph.ComputeUses();
  std::unordered_set<const ir::Node*> done;
  for (bool some_wait = true; some_wait && !*better;) {
    some_wait = false;
    MICRORT_RETURN_IF_ERROR(SpendOn(graph.nodes.size()));
    Batch batch(graph);
    for (const auto& node : graph.nodes) {
      if (!IsSeed(graph, *node) || done.count(node.get()) != 0) continue;
      const Region region(graph, uses, *node);
      MICRORT_RETURN_IF_ERROR(SpendOn(region.size()));
      const LayoutPlan plan = region.Solve();
      if (plan.empty() || batch.Add(plan))
        done.insert(region.crossed().begin(), region.crossed().end());
      else
        some_wait = true;
    }
    *better = batch.Commit();
  }
  return Status();
}

}  // namespace

Status OptimizeLayout(ir::Graph& graph, bool* changed) {
  const auto is_transpose = [](const auto& node) { return node->code == schema::OpCode::Transpose; };
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_transpose)) return Status();
  bool better = true;
  while (better) {  // ends: every change makes the graph better
    MICRORT_RETURN_IF_ERROR(SweepLayouts(graph, &better));
    *changed |= better;
  }
  const LayoutPlan as_it_is;
  Relayout merged(graph, as_it_is);
  if (merged.cost().moved < Relayout::MovedBy(graph)) {
    merged.Commit();
    *changed = true;
  }
  return Status();
}

}  // namespace micrort::passes
