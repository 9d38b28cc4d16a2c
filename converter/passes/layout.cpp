// Cancels Transposes, or moves them to where they move the fewest bytes.

#include <unordered_set>

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
Status SpendOnAttempt(const ir::Graph& graph) {
  constexpr uint64_t kNodeWork = 200 * kElementWork;
  return Spend(ir::CurrentBudget(), MultiplyWork(graph.nodes.size(), kNodeWork));
}

// One attempt at every region; `better` says whether one was worth it. A change rewrites the list of nodes,
// so that the sweep goes on at the same place in the new one.
Status Sweep(ir::Graph& graph, bool* better) {
  const LayoutPlan as_it_is;
  *better = false;
  auto uses = graph.ComputeUses();
  LayoutCost cost = Relayout(graph, as_it_is).cost();
  std::unordered_set<const ir::Node*> done;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const ir::Node& node = *graph.nodes[i];
    if (!IsSeed(graph, node) || done.count(&node) != 0) continue;
    const Region region(graph, uses, node);
    done.insert(region.crossed().begin(), region.crossed().end());
    const LayoutPlan plan = region.Solve();
    if (plan.empty()) continue;
    MICRORT_RETURN_IF_ERROR(SpendOnAttempt(graph));
    Relayout relayout(graph, plan);
    if (!(relayout.cost() < cost)) continue;
    relayout.Commit();
    *better = true;
    graph.ComputeUses(&uses);
    cost = Relayout(graph, as_it_is).cost();
    done.clear();
  }
  return Status();
}

}  // namespace

Status OptimizeLayout(ir::Graph& graph, bool* changed) {
  bool better = true;
  while (better) {  // ends: every change makes the graph better
    MICRORT_RETURN_IF_ERROR(Sweep(graph, &better));
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
