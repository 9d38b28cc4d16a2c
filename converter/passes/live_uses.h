#pragma once
// Who writes and who reads each value, kept right while rewrites change the graph.

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/span.h"

namespace micrort::passes {

// All nodes of a graph as they are, one after the other: nodes lie all over the memory, and each is looked at
// once.
struct NodeValues {
  explicit NodeValues(const ir::Graph& graph);
  // f(node, id), without those that are absent.
  template <typename F>
  void ForEachInput(F f) const;
  template <typename F>
  void ForEachOutput(F f) const;

  std::vector<ir::Node*> nodes;
  std::vector<size_t> inputs, outputs;  // of each, how many
  std::vector<ir::ValueId> ids;         // of its inputs, then of its outputs
};

// Who reads each value, a node once for every use. All lists are one block at first: most rewrites change
// nothing, and a block of memory for each value would take longer than the look at the graph.
class ReaderLists {
 public:
  ReaderLists(const NodeValues& all, size_t values);

  // Valid until something is added.
  Span<ir::Node* const> of(ir::ValueId id) const;
  // Makes room for so many values.
  void Grow(size_t values) { lists_.resize(values); }
  void Add(ir::ValueId id, ir::Node* reader);
  // All uses by the node, or by those nodes.
  void Remove(ir::ValueId id, const ir::Node* reader);
  void Remove(ir::ValueId id, const std::unordered_set<const ir::Node*>& readers);

 private:
  struct List {
    size_t begin = 0, count = 0;  // in first_
    int grown = -1;               // its place in grown_, once it has got another reader
  };
  Span<ir::Node*> Readers(const List& list);
  template <typename IsGone>
  void RemoveIf(ir::ValueId id, IsGone is_gone);

  std::vector<List> lists_;  // by ValueId
  std::vector<ir::Node*> first_;
  std::vector<std::vector<ir::Node*>> grown_;
};

// A change costs what it touches, not what the graph holds: a rewrite can change only nodes that it was given
// here, its own node and those that it appends, so only these are compared with what they were.
class LiveUses {
 public:
  explicit LiveUses(const ir::Graph& graph);

  // Null for inputs and constants.
  ir::Node* producer(ir::ValueId id) const { return Given(producers_[static_cast<size_t>(id)]); }
  // A node appears once for every use.
  Span<ir::Node* const> consumers(ir::ValueId id) const;
  // The only reader of the value, or null if there are several or the value is a graph output.
  ir::Node* single_consumer(ir::ValueId id) const;
  // False for values that the rewrite at hand has made.
  bool is_output(ir::ValueId id) const {
    const auto i = static_cast<size_t>(id);
    return i < is_output_.size() && is_output_[i];
  }
  // Whether a runs after b; both were there when this was made.
  bool RunsAfter(const ir::Node* a, const ir::Node* b) {
    Know();
    return known_.at(a).at > known_.at(b).at;
  }

  // A rewrite is about to look at the node.
  void LookAt(ir::Node* node);
  // It has changed something, and has appended what is in graph.nodes now. Gives what this took.
  size_t Update(const ir::Graph& graph);
  // `from` is no output of the graph any more, but `to`.
  void MoveOutput(ir::ValueId from, ir::ValueId to);

  // Nobody reads what it writes. It stays in the graph until the sweep ends, but reads nothing here.
  bool is_dead(const ir::Node* node) const { return !known_.empty() && known_.at(node).is_dead; }

 private:
  // A node as it was when this book last looked at it.
  struct Known {
    std::vector<ir::ValueId> inputs, outputs;
    size_t at = 0;  // place in the order of runs
    bool is_dead = false;
    bool is_compared = false;  // by the update at hand
  };

  void Know();
  ir::Node* Given(ir::Node* node) const;
  void Grow(size_t values);
  void AddReads(ir::Node* node, const std::vector<ir::ValueId>& inputs);
  void AddWrites(ir::Node* node, const std::vector<ir::ValueId>& outputs);
  void RemoveReads(const ir::Node* node, std::vector<ir::ValueId> inputs);
  void RemoveReadsOfUnwritten();
  void Forget(ir::Node* node);
  void Learn(ir::Node* node);
  bool IsRead(const ir::Node& node) const;
  void Bury();

  NodeValues first_;                  // as they were at first: most rewrites change nothing
  std::vector<ir::Node*> producers_;  // by ValueId
  ReaderLists readers_;
  std::vector<bool> is_output_;                       // by ValueId
  std::unordered_map<const ir::Node*, Known> known_;  // empty until something changes
  mutable std::vector<ir::Node*> given_;              // to the rewrite at hand
  std::vector<ir::Node*> doubtful_;                   // may have lost their last reader
  // Nodes that do not read these constants or inputs any more.
  std::unordered_map<ir::ValueId, std::unordered_set<const ir::Node*>> left_;
  size_t work_ = 0;  // of the update at hand
};

}  // namespace micrort::passes
