// Reorders nodes so that fewer bytes are alive at once, where the order they come in is not the best known.

#include <numeric>
#include <utility>

#include "converter/passes/order/run_orders.h"
#include "converter/passes/passes.h"
#include "runtime/model/verify_steps.h"

namespace micrort::passes {

Status OrderForMemory(ir::Graph& graph, bool* changed) {
  if (graph.nodes.size() > kMaxOperators) return Status();  // more than a file may hold, in whatever order
  const MemoryModel model(graph);
  NodeOrder best(model.node_count());
  std::iota(best.begin(), best.end(), size_t{0});
  int64_t best_peak = PeakOf(model, best);
  bool better = false;
  // A greedy order compares all nodes that are ready at each step.
  constexpr size_t kMaxGreedyNodes = 5000;
  std::vector<NodeOrder> candidates = {DepthFirstOrder(model)};
  if (model.node_count() <= kMaxGreedyNodes) candidates.insert(candidates.begin(), GreedyOrder(model));
  for (NodeOrder& candidate : candidates) {
    const int64_t peak = PeakOf(model, candidate);
    if (peak >= best_peak) continue;
    best = std::move(candidate);
    best_peak = peak;
    better = true;
  }
  if (!better) return Status();
  std::vector<std::unique_ptr<ir::Node>> ordered;
  for (size_t node : best) ordered.push_back(std::move(graph.nodes[node]));
  graph.nodes = std::move(ordered);
  *changed = true;
  return Status();
}

}  // namespace micrort::passes
