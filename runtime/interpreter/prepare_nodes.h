#pragma once
// Shapes: every node is prepared, and what depends on shapes and constants alone is computed.

#include "runtime/interpreter/graph.h"

namespace micrort {

class NodePreparation {
 public:
  // Bodies of nodes have the same target.
  NodePreparation(Graph& graph, const PrepareTarget& target) : graph_(graph), target_(target) {}

  // All nodes, for the inputs that the graph's tensors now have.
  Status Run();
  // The same for other inputs than the last time, where Graph::changed says which these are: nodes that they
  // make no difference to stay as they are.
  Status RunChanged();
  // In a run: a data-dependent node, for the shapes of this run, within the memory planned. The run pays for
  // it.
  Status PrepareAgain(Node& node);

 private:
  Status RunNodes(bool may_keep);
  bool MayKeep(const Node& node) const;
  Status PrepareNode(Node& node);
  void KeepOutputs(const Node& node);
  void NoteChanges(Node& node, bool was_dependent, bool was_known, AlignedMemory known);
  static Status PrepareFor(Node& node, const PrepareTarget& target);
  // What is computed while planning for another CPU (mnnconvert --target) takes instructions of this one.
  Status PrepareForThisCpu(Node& node);
  // Within the scratch that the file allows the node: on one thread where more threads need more.
  Status PrepareWithinLimit(Node& node);
  bool MayComputeNow(const Node& node) const;
  Status ComputeNow(Node& node);
  Status CheckPlannedMemory(const Node& node, const PrepareResult& now) const;

  Graph& graph_;
  const PrepareTarget& target_;
};

}  // namespace micrort
