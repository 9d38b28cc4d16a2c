#pragma once
// Types and shapes of values, found by the runtime's own prepare.
//
// A dimension of a graph input that is not fixed is a symbol: dimensions of one name are one symbol, each
// without a name is its own. With symbols, everything is inferred twice, with two different sizes for each
// symbol ("probes"); a dimension that comes out equal in both is static. Values that follow from constants
// and shapes alone are computed, so that, for instance, a Reshape to a computed shape has a known result.
// A dimension that the data of a run decide (how many elements are not zero) is one more symbol.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/ir/op_call.h"
#include "converter/ir/symbols.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Visits nodes in run order, as they are appended or all at once. While it lives, visited nodes must not be
// removed.
class ShapeInference {
 public:
  explicit ShapeInference(Graph& graph);

  // Sets dtype, shape and dimension names of the node's outputs. A dtype that an output has already is kept,
  // and is an error if the operator gives another. Errors do not name the node.
  Status Visit(const Node& node);

  // The value's elements if they are the same whatever the graph's inputs hold and however large they are;
  // null if they are not, or too many to be worth it.
  std::shared_ptr<const Bytes> KnownData(ValueId id) const;

  // Values met that no shape decides and that decide the size of a tensor which nothing bounds: they have to
  // be known when memory is planned.
  const std::set<ValueId>& deciding_values() const { return deciding_values_; }

 private:
  // Everything with one size for each symbol.
  struct Probe {
    std::vector<HostTensor> tensors;  // by ValueId
    std::vector<bool> ready;          // whether tensors[id] is filled in
  };

  Status VisitInProbes(const Node& node);
  Status VisitInProbe(const Node& node, OpCall& call, size_t probe);
  void SizeOpenDims(ValueId id, size_t probe);
  // Visits everything again in the present attempt.
  Status Repeat();
  Status TryOtherSizes(const Status& first_error);
  Status Find(ValueId id, size_t probe, const HostTensor** out);
  void Reset(size_t attempt);
  void Publish(ValueId id);

  Graph& graph_;
  Symbols symbols_;
  size_t attempt_ = 0;
  std::vector<Probe> probes_;  // one if there are no symbols, else two
  std::vector<const Node*> visited_;
  std::set<ValueId> deciding_values_;
};

// Infers every node of a graph in run order; errors name the node.
Status InferShapes(Graph& graph);

// "node 'conv1' (Conv, opset 13)" for messages.
std::string Describe(const Node& node);

}  // namespace micrort::ir
