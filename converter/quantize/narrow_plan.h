#pragma once
// Which nodes of a float graph compute in a narrower type, int8 or half.

#include <map>
#include <vector>

#include "converter/ir/graph.h"
#include "runtime/ops/op_traits.h"

namespace micrort::quantize {

// Looked up, never iterated: the order would be that of addresses.
using NarrowPlan = std::map<const ir::Node*, Int8Role>;

// Positions of the inputs that are narrow where the node is.
std::vector<size_t> NarrowInputs(const ir::Node& node, Int8Role role);

// Whether what computes the graph's outputs pays if they are converted behind it.
enum class LastOnes { kAreFloat, kMayBeNarrow };

// What nodes of a plan hand each other. The graph stays as it is meanwhile.
class NarrowRegions {
 public:
  explicit NarrowRegions(const ir::Graph& graph, LastOnes last = LastOnes::kAreFloat)
      : graph_(graph), last_(last), uses_(graph.ComputeUses()) {}

  // Whether a node of the plan gives an input that the node of this role reads in the narrow type.
  bool Gets(const NarrowPlan& plan, const ir::Node& node, Int8Role role) const;
  // Whether a node of the plan reads the node's output in the narrow type, or the caller does, who may.
  bool Feeds(const NarrowPlan& plan, const ir::Node& node) const;

  // What would need conversions around it leaves: operators that are no layers and do not both get the type
  // and feed it, and so may their neighbours.
  void RemoveUseless(NarrowPlan* plan) const;
  // Layers that neither get nor feed it, too.
  void RemoveAlone(NarrowPlan* plan) const;

 private:
  template <typename IsUseful>
  void KeepWhat(NarrowPlan* plan, const IsUseful& is_useful) const;

  const ir::Graph& graph_;
  const LastOnes last_;
  const ir::Graph::Uses uses_;
};

}  // namespace micrort::quantize
