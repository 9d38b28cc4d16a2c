#pragma once
// A part of the graph whose values could as well be stored in another order, found around one Transpose.

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/passes/layout/min_cut.h"
#include "converter/passes/layout/node_orders.h"

namespace micrort::passes {

// Nodes that shall work on reordered values, and in which orders.
using LayoutPlan = std::unordered_map<const ir::Node*, NodeOrders>;

// Every value of a region has two possible orders: as it is, and one alternative. A Transpose has made one
// from the other, so seen across all values there are two layouts, "before" and "after" that Transpose, and
// each value is now in one of them. Within the region, Transposes between the two layouts cost nothing as
// long as both of their sides choose the same layout; a value whose producer and consumer choose differently
// must be moved.
class Region {
 public:
  // `seed` must be a Transpose of a value with a known shape that is not constant.
  Region(const ir::Graph& graph, const ir::Graph::Uses& uses, const ir::Node& seed);

  // The choice that moves the fewest bytes; where several do, Transposes come late in the graph.
  LayoutPlan Solve() const;
  // Transposes between the two layouts: from each of them, the same region grows.
  const std::unordered_set<const ir::Node*>& crossed() const { return crossed_; }
  // Nodes in it.
  size_t size() const { return members_.size() + crossed_.size(); }

 private:
  enum class Layout { kBefore, kAfter };
  struct Alternative {
    Order order;   // the other order
    Layout as_is;  // the layout that the value is in
  };
  struct Member {
    NodeOrders orders;
    Layout as_is;
  };

  void Grow();
  bool Assign(ir::ValueId id, const Order& order, Layout as_is);
  bool CanAssign(ir::ValueId id, const Order& order, Layout as_is) const;
  void TryJoin(const ir::Node& node, ir::ValueId from, size_t input);
  void TryJoinTranspose(const ir::Node& node, ir::ValueId from);
  bool IsCrossed(const ir::Node& transpose) const { return crossed_.count(&transpose) != 0; }

  void AddMoveCosts(ir::ValueId root, const std::unordered_map<const ir::Node*, int>& ids, MinCut* cut) const;
  void CollectReaders(ir::ValueId id, const std::unordered_map<const ir::Node*, int>& ids,
                      std::vector<int>* readers) const;
  int Side(Layout layout) const { return layout == Layout::kBefore ? MinCut::kSource : MinCut::kSink; }

  const ir::Graph& graph_;
  const ir::Graph::Uses& uses_;
  std::unordered_map<ir::ValueId, Alternative> values_;
  std::vector<ir::ValueId> values_in_order_;  // of discovery; also the queue of growth
  std::unordered_map<const ir::Node*, Member> members_;
  std::vector<const ir::Node*> members_in_order_;
  std::unordered_set<const ir::Node*> crossed_;
};

}  // namespace micrort::passes
