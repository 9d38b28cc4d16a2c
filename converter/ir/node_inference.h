#pragma once
// One node: what follows for all sizes, and what the runtime's prepare says at the sizes that are tried.

#include <vector>

#include "converter/ir/infer.h"

namespace micrort::ir {

class NodeInference {
 public:
  // All outlive this.
  NodeInference(ShapeInference& inference, Graph& graph, const Node& node)
      : inference_(inference), graph_(graph), node_(node) {}

  // What follows from the sizes of inputs, and what the operator requires of them.
  Status InferSizes();
  // Then types and data at the sizes that are tried, and what these say where sizes do not.
  Status InferAsTried();

 private:
  void TakeForEqual(int needs_before);
  Status InferCall(OpCall& call);
  Status RunCall(OpCall& call);
  void NoteSizedByData();
  void TakeKnownResults(const std::vector<const HostTensor*>& inputs,
                        const std::vector<HostTensor*>& outputs);
  // What prepare reads is the same for all sizes.
  bool AreInputsClosed();
  bool AreInputsConstant();
  bool ReadsIntegersOfARun();
  Status Settle(ValueId id, bool closed, bool constant);
  Status SettleDim(ValueId id, int d, bool closed);
  Status SettleValues(ValueId id, bool constant);
  void TakeSizesOfBodies();
  void TakeSizesOfIf();
  void TakeSizesOfLoop();

  ShapeInference& inference_;
  Graph& graph_;
  const Node& node_;
};

}  // namespace micrort::ir
