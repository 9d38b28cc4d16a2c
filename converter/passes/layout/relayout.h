#pragma once
// Rewrites a graph so that the nodes of a plan work on reordered values.

#include <unordered_map>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/passes/layout/region.h"

namespace micrort::passes {

// Less is better. Of two graphs that move as much, the one is better whose Transposes run later: more of what
// comes before can be merged into the layers that made it.
struct LayoutCost {
  int64_t moved = 0;      // CostOfMoving, added up over all Transposes
  int64_t run_after = 0;  // other nodes that run after a Transpose, added up over all Transposes

  void Add(const LayoutCost& o) {
    moved += o.moved;
    run_after += o.run_after;
  }
  bool operator<(const LayoutCost& o) const {
    return moved != o.moved ? moved < o.moved : run_after < o.run_after;
  }
};

// Every Transpose of the graph is taken as a mere statement of how two values relate; Transposes are then
// made anew where a value is read in an order in which nobody has stored it yet, directly before the first
// reader. So chains of them merge, inverse ones cancel, and equal ones are shared, also where the plan is
// empty. Constants are reordered here and now.
class Relayout {
 public:
  // Works out all steps without touching the graph.
  Relayout(ir::Graph& graph, const LayoutPlan& plan);

  LayoutCost cost() const { return cost_; }
  // The part of it that Transposes of this value have, and of what others make of it.
  LayoutCost CostOf(ir::ValueId root) const;
  // The value that Transposes make `id` of, or itself.
  ir::ValueId RootOf(ir::ValueId id) const;
  // What Transposes move in a graph as it is.
  static int64_t MovedBy(const ir::Graph& graph);

  // Carries the steps out. Call once.
  void Commit();

 private:
  // A stored form of a value, or a constant.
  struct Copy {
    ir::ValueId root;
    Order order;        // of root's dimensions
    ir::ValueId value;  // kNoValue: to be added to the graph by Commit
  };
  using CopyId = int;
  // A value that Transposes make of `root`: it lies in memory as root in `order`.
  struct Alias {
    ir::ValueId root;
    Order order;
  };
  // A node of the graph, or (node is null) a copy made from another one.
  struct Step {
    ir::Node* node;
    std::vector<CopyId> inputs;  // -1: absent
    CopyId output;
  };

  Alias AliasOf(ir::ValueId id) const;
  CopyId AddCopy(ir::ValueId root, Order order, ir::ValueId value);
  void AddCosts();
  CopyId CopyOfConstant(ir::ValueId id, const Order& order);
  CopyId Find(ir::ValueId id, const Order& order);  // an empty order: as the value is
  void Visit(ir::Node* node);
  void VisitOutput(ir::ValueId id);

  void AddMissingValues();
  void Bequeath(ir::ValueId gone, const Alias& alias);
  void BequeathNames();
  std::unique_ptr<ir::Node> MakeCopyNode(const Step& step) const;

  ir::Graph& graph_;
  const LayoutPlan& plan_;
  std::unordered_map<ir::ValueId, Alias> aliases_;
  std::unordered_map<ir::ValueId, std::vector<CopyId>>
      copies_of_;  // by root; the first is what its producer writes
  std::vector<Copy> copies_;
  std::vector<Step> steps_;
  LayoutCost cost_;
  std::unordered_map<ir::ValueId, LayoutCost> cost_of_;  // by root
};

}  // namespace micrort::passes
