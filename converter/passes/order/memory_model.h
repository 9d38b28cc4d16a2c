#pragma once
// Which bytes are alive while the nodes of a graph run in some order.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::passes {

// Nodes by their index in Graph::nodes.
using NodeOrder = std::vector<size_t>;

// The graph as a scheduler sees it: nodes that read and write values of so many bytes. Constants do not
// count.
class MemoryModel {
 public:
  explicit MemoryModel(const ir::Graph& graph);

  size_t node_count() const { return reads_.size(); }
  // Values, each once, that a node reads; nodes, each once, that write them; nodes that read what a node
  // writes.
  const std::vector<ir::ValueId>& reads(size_t node) const { return reads_[node]; }
  const NodeOrder& producers(size_t node) const { return producers_[node]; }
  const NodeOrder& readers(size_t node) const { return readers_[node]; }
  int64_t bytes(ir::ValueId id) const { return bytes_[static_cast<size_t>(id)]; }
  int64_t result_bytes(size_t node) const { return result_bytes_[node]; }

  // By value: how many nodes read it, plus one where it is a graph output, which nobody ever frees.
  const std::vector<int>& reader_counts() const { return reader_counts_; }
  // Bytes before the first node runs: the graph's inputs that somebody reads.
  int64_t start_bytes() const { return start_bytes_; }

 private:
  std::vector<std::vector<ir::ValueId>> reads_;
  std::vector<NodeOrder> producers_;
  std::vector<NodeOrder> readers_;
  std::vector<int64_t> bytes_;
  std::vector<int64_t> result_bytes_;
  std::vector<int> reader_counts_;
  int64_t start_bytes_ = 0;
};

// Memory while nodes run one after the other.
class MemorySimulation {
 public:
  explicit MemorySimulation(const MemoryModel& model)
      : model_(model), waiting_readers_(model.reader_counts()), alive_(model.start_bytes()), peak_(alive_) {}

  void Run(size_t node);
  int64_t peak() const { return peak_; }
  // By how much more will be alive after the node has run than before.
  int64_t GrowthOf(size_t node) const;

 private:
  const MemoryModel& model_;
  std::vector<int> waiting_readers_;
  int64_t alive_;
  int64_t peak_;
};

// The most bytes alive at once.
int64_t PeakOf(const MemoryModel& model, const NodeOrder& order);

}  // namespace micrort::passes
