#pragma once
// Ranges that the numbers in tensors keep to whatever a run is given: clips, constants and types state them,
// and operators hand them on. A result that is no number is in no range: what relies on one has to check it.

#include <map>
#include <utility>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/ir/range_arithmetic.h"

namespace micrort::ir {

class NumberRanges {
 public:
  // Of the graph and of bodies in it, which have types and stay as they are.
  explicit NumberRanges(const Graph& graph) { Visit(graph); }

  // All elements of the tensor; from -infinity to infinity where nothing is known.
  NumberRange Of(const Graph& graph, ValueId id) const;

 private:
  void Visit(const Graph& graph);
  void VisitBodies(const Graph& graph, const Node& node);
  void BindInputs(const Graph& graph, const Node& node, const Graph& body);
  // Of output 0.
  NumberRange OfNode(const Graph& graph, const Node& node) const;
  NumberRange OfAll(const Graph& graph, const Node& node, const std::vector<size_t>& inputs) const;
  NumberRange OfCast(const Graph& graph, const Node& node) const;
  NumberRange OfUnary(const Graph& graph, const Node& node) const;
  NumberRange OfBinary(const Graph& graph, const Node& node) const;
  NumberRange OfReduce(const Graph& graph, const Node& node) const;

  std::map<std::pair<const Graph*, ValueId>, NumberRange> known_;
};

}  // namespace micrort::ir
