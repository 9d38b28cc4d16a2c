#include "converter/passes/order/run_orders.h"

#include <algorithm>
#include <set>
#include <utility>

namespace micrort::passes {
namespace {

// Operands in the order in which to compute them. excess[node]: the peak of computing the node alone, as if
// it were the root of a tree, less its result.
NodeOrder HungriestFirst(const MemoryModel& model, size_t node, const std::vector<int64_t>& excess) {
  NodeOrder producers = model.producers(node);
  std::stable_sort(producers.begin(), producers.end(),
                   [&](size_t a, size_t b) { return excess[a] > excess[b]; });
  return producers;
}

// Producers come earlier in the graph, so theirs are known when a node's turn comes.
std::vector<int64_t> ExcessOfAll(const MemoryModel& model) {
  std::vector<int64_t> excess(model.node_count(), 0);
  for (size_t node = 0; node < model.node_count(); ++node) {
    int64_t held = 0;
    int64_t peak = 0;
    for (size_t producer : HungriestFirst(model, node, excess)) {
      held += model.result_bytes(producer);
      peak = std::max(peak, held + excess[producer]);
    }
    excess[node] = std::max(peak - model.result_bytes(node), held);
  }
  return excess;
}

}  // namespace

NodeOrder GreedyOrder(const MemoryModel& model) {
  std::vector<size_t> waits_for(model.node_count());
  std::set<size_t> ready;
  for (size_t node = 0; node < model.node_count(); ++node) {
    waits_for[node] = model.producers(node).size();
    if (waits_for[node] == 0) ready.insert(node);
  }
  MemorySimulation simulation(model);
  NodeOrder order;
  while (!ready.empty()) {
    const auto grows_less = [&](size_t a, size_t b) {
      return simulation.GrowthOf(a) < simulation.GrowthOf(b);
    };
    const size_t node = *std::min_element(ready.begin(), ready.end(), grows_less);
    ready.erase(node);
    simulation.Run(node);
    order.push_back(node);
    for (size_t reader : model.readers(node)) {
      if (--waits_for[reader] == 0) ready.insert(reader);
    }
  }
  return order;
}

NodeOrder DepthFirstOrder(const MemoryModel& model) {
  const std::vector<int64_t> excess = ExcessOfAll(model);
  NodeOrder order;
  std::vector<bool> done(model.node_count(), false);
  struct Visit {
    size_t node;
    bool operands_done;
  };
  std::vector<Visit> stack;
  for (size_t root = 0; root < model.node_count(); ++root) {
    if (model.readers(root).empty()) stack.push_back({root, false});
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      if (done[visit.node]) continue;
      if (visit.operands_done) {
        done[visit.node] = true;
        order.push_back(visit.node);
        continue;
      }
      stack.push_back({visit.node, true});
      const NodeOrder operands = HungriestFirst(model, visit.node, excess);
      for (auto o = operands.rbegin(); o != operands.rend(); ++o) stack.push_back({*o, false});
    }
  }
  return order;
}

}  // namespace micrort::passes
