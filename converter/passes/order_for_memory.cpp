// Reorders nodes so that fewer bytes are alive at once, where the order they come in is not the best known.

#include <algorithm>
#include <functional>
#include <set>

#include "converter/passes/layout/storage_order.h"
#include "converter/passes/passes.h"

namespace micrort::passes {
namespace {

using NodeOrder = std::vector<size_t>;  // indices into Graph::nodes

// The graph as the scheduler sees it: nodes read and write values of so many bytes; constants do not count.
class MemoryModel {
 public:
  explicit MemoryModel(const ir::Graph& graph) : graph_(graph), uses_(graph.ComputeUses()) {
    for (size_t i = 0; i < graph.nodes.size(); ++i) index_of_[graph.nodes[i].get()] = i;
  }

  size_t node_count() const { return graph_.nodes.size(); }
  const std::vector<ir::ValueId>& outputs_of(size_t node) const { return graph_.nodes[node]->outputs; }
  int64_t bytes(ir::ValueId id) const { return BytesOf(graph_.value(id)); }

  // The values that a node reads, each once, without constants.
  std::vector<ir::ValueId> InputsOf(size_t node) const {
    std::set<ir::ValueId> inputs;
    for (ir::ValueId id : graph_.nodes[node]->inputs) {
      if (id != ir::kNoValue && !graph_.value(id).is_constant()) inputs.insert(id);
    }
    return {inputs.begin(), inputs.end()};
  }
  // Nodes whose outputs a node reads, each once.
  std::vector<size_t> ProducersOf(size_t node) const {
    std::set<size_t> producers;
    for (ir::ValueId id : InputsOf(node)) {
      const ir::Node* producer = uses_.producer[static_cast<size_t>(id)];
      if (producer != nullptr) producers.insert(index_of_.at(producer));
    }
    return {producers.begin(), producers.end()};
  }
  // Readers of a value, plus one where it is a graph output, which nobody ever frees.
  std::vector<int> ReaderCounts() const {
    std::vector<int> counts(graph_.value_count(), 0);
    for (size_t node = 0; node < node_count(); ++node) {
      for (ir::ValueId id : InputsOf(node)) ++counts[static_cast<size_t>(id)];
    }
    for (ir::ValueId id : graph_.outputs) ++counts[static_cast<size_t>(id)];
    return counts;
  }
  // Bytes before the first node runs: the inputs that somebody reads.
  int64_t StartBytes(const std::vector<int>& readers) const {
    int64_t total = 0;
    for (ir::ValueId id : graph_.inputs) total += readers[static_cast<size_t>(id)] > 0 ? bytes(id) : 0;
    return total;
  }

 private:
  const ir::Graph& graph_;
  ir::Graph::Uses uses_;
  std::unordered_map<const ir::Node*, size_t> index_of_;
};

// Memory while nodes run one after the other.
class Simulation {
 public:
  explicit Simulation(const MemoryModel& model)
      : model_(model), readers_(model.ReaderCounts()), alive_(model.StartBytes(readers_)), peak_(alive_) {}

  int64_t peak() const { return peak_; }
  // How `alive` changes when the node has run.
  int64_t GrowthOf(size_t node) const { return OutputBytes(node) - FreedBytes(node); }

  void Run(size_t node) {
    peak_ = std::max(peak_, alive_ + OutputBytes(node));
    alive_ += GrowthOf(node);
    for (ir::ValueId id : model_.InputsOf(node)) --readers_[static_cast<size_t>(id)];
  }

 private:
  int64_t OutputBytes(size_t node) const {
    int64_t total = 0;
    for (ir::ValueId id : model_.outputs_of(node)) total += model_.bytes(id);
    return total;
  }
  int64_t FreedBytes(size_t node) const {
    int64_t total = 0;
    for (ir::ValueId id : model_.InputsOf(node)) {
      if (readers_[static_cast<size_t>(id)] == 1) total += model_.bytes(id);
    }
    return total;
  }

  const MemoryModel& model_;
  std::vector<int> readers_;
  int64_t alive_;
  int64_t peak_;
};

int64_t PeakOf(const MemoryModel& model, const NodeOrder& order) {
  Simulation simulation(model);
  for (size_t node : order) simulation.Run(node);
  return simulation.peak();
}

NodeOrder AsItIs(const MemoryModel& model) {
  NodeOrder order(model.node_count());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  return order;
}

// Always the ready node after which the least is alive; among equals the first.
NodeOrder Greedy(const MemoryModel& model) {
  std::vector<size_t> waits_for(model.node_count());
  std::vector<std::vector<size_t>> readers(model.node_count());
  std::set<size_t> ready;
  for (size_t node = 0; node < model.node_count(); ++node) {
    const std::vector<size_t> producers = model.ProducersOf(node);
    waits_for[node] = producers.size();
    for (size_t producer : producers) readers[producer].push_back(node);
    if (producers.empty()) ready.insert(node);
  }
  Simulation simulation(model);
  NodeOrder order;
  while (!ready.empty()) {
    const size_t node = *std::min_element(ready.begin(), ready.end(), [&](size_t a, size_t b) {
      return simulation.GrowthOf(a) < simulation.GrowthOf(b);
    });
    ready.erase(node);
    simulation.Run(node);
    order.push_back(node);
    for (size_t reader : readers[node]) {
      if (--waits_for[reader] == 0) ready.insert(reader);
    }
  }
  return order;
}

// Each node directly after all that it needs, the operand whose computation takes the most memory beyond its
// result first (Sethi and Ullman's rule, exact for trees).
class DepthFirst {
 public:
  explicit DepthFirst(const MemoryModel& model) : model_(model), excess_(model.node_count(), 0) {}

  NodeOrder Run() {
    for (size_t node = 0; node < model_.node_count(); ++node) excess_[node] = ExcessOf(node);
    std::vector<bool> read(model_.node_count(), false);
    for (size_t node = 0; node < model_.node_count(); ++node) {
      for (size_t producer : model_.ProducersOf(node)) read[producer] = true;
    }
    for (size_t node = 0; node < model_.node_count(); ++node) {
      if (!read[node]) Visit(node);
    }
    return order_;
  }

 private:
  std::vector<size_t> SortedProducers(size_t node) const {
    std::vector<size_t> producers = model_.ProducersOf(node);
    std::stable_sort(producers.begin(), producers.end(),
                     [this](size_t a, size_t b) { return excess_[a] > excess_[b]; });
    return producers;
  }
  int64_t ResultBytes(size_t node) const {
    int64_t total = 0;
    for (ir::ValueId id : model_.outputs_of(node)) total += model_.bytes(id);
    return total;
  }
  // The peak of computing the node alone, as if it were the root of a tree, less its result. Producers come
  // earlier in the list, so theirs are known.
  int64_t ExcessOf(size_t node) const {
    int64_t held = 0;
    int64_t peak = 0;
    for (size_t producer : SortedProducers(node)) {
      peak = std::max(peak, held + excess_[producer] + ResultBytes(producer));
      held += ResultBytes(producer);
    }
    return std::max(peak, held + ResultBytes(node)) - ResultBytes(node);
  }
  // Iterative: networks are deep.
  void Visit(size_t root) {
    std::vector<std::pair<size_t, bool>> stack = {{root, false}};
    while (!stack.empty()) {
      const auto [node, expanded] = stack.back();
      stack.pop_back();
      if (done_.count(node) != 0) continue;
      if (expanded) {
        done_.insert(node);
        order_.push_back(node);
        continue;
      }
      stack.emplace_back(node, true);
      const std::vector<size_t> producers = SortedProducers(node);
      for (auto p = producers.rbegin(); p != producers.rend(); ++p) stack.emplace_back(*p, false);
    }
  }

  const MemoryModel& model_;
  std::vector<int64_t> excess_;
  std::set<size_t> done_;
  NodeOrder order_;
};

}  // namespace

Status OrderForMemory(ir::Graph& graph, bool* changed) {
  const MemoryModel model(graph);
  NodeOrder best = AsItIs(model);
  int64_t best_peak = PeakOf(model, best);
  bool better = false;
  for (NodeOrder candidate : {Greedy(model), DepthFirst(model).Run()}) {
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
