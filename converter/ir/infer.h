#pragma once
// Types and shapes of values, found by the runtime's own prepare.
//
// A dimension of a graph input that is not fixed is a symbol: dimensions of one name are one symbol, each
// without a name is its own. With symbols, everything is inferred twice, with two different sizes for each
// symbol ("probes"); a dimension that comes out equal in both is static. Values that follow from constants
// and shapes alone are computed, so that, for instance, a Reshape to a computed shape has a known result.
// A dimension that the data of a run decide (how many elements are not zero) is one more symbol, and so is
// one that a loop changes.
//
// Symbols are different sizes until an operator needs them equal (it adds a value [?, ?] to another one):
// then they are equated. What still does not fit is tried with other sizes. A branch of an If that cannot run
// with the sizes of the rest is looked at with sizes of its own, and its values keep what they had where
// there are none.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/ir/op_call.h"
#include "converter/ir/probes.h"
#include "converter/ir/symbols.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Whether what failed could do with inputs of other sizes: dimensions that do not fit each other, positions
// that reach beyond a table (embeddings of a language model have one for its longest text), or tensors larger
// than ModelLimits allow.
bool MaySuitOtherSizes(const Status& status);

// Bodies of nodes that cannot run with the sizes of a probe.
class Misfits {
 public:
  // Nothing is known any more of bodies in so many probes.
  void Reset(size_t probes);
  void Note(const Graph& body, size_t probe, bool fits);
  // In all probes. Of a body inside one that did not come so far, nothing is known: it does not.
  bool Fits(const Graph& body) const;
  // Those of the node's, or inside of its.
  std::vector<Graph*> In(const Node& node) const;

 private:
  size_t probes_ = 0;
  std::map<std::pair<const Graph*, size_t>, bool> fits_;
};

// Visits nodes in run order, as they are appended or all at once. While it lives, visited nodes must not be
// removed. A node with bodies is visited with all that is in these: their values get types and shapes, too.
class ShapeInference {
 public:
  explicit ShapeInference(Graph& graph);

  // Sets dtype, shape and dimension names of the node's outputs. A dtype that an output has already is kept,
  // and is an error if the operator gives another. Errors do not name the node.
  Status Visit(const Node& node);

  // Dimensions of graph inputs that fit in one size only (a batch of 1) get it: what follows from it has been
  // decided.
  void FixInputs();

  // For a body whose node is not there yet: nodes visited from now on, until Leave, are appended to it.
  void Enter(Graph& body);
  void Leave();
  // An input of a graph that was entered stands for a value of the graph around it.
  //   same_value: it has that one's elements, not just its type and shape.
  //   changing_dims: of these dimensions, a bit each, it has any size.
  void Bind(const Graph& graph, ValueId input, ValueId outer, bool same_value, uint32_t changing_dims);

  // Two values of one rank in the graph entered last: the dimensions, a bit each, in which they differ.
  Status DifferingDims(ValueId a, ValueId b, uint32_t* dims);

  // The value's elements if they are the same whatever the graph's inputs hold and however large they are;
  // null if they are not, or too many to be worth it. Without a graph: of the one entered last.
  std::shared_ptr<const Bytes> KnownData(const Graph& graph, ValueId id) const;
  std::shared_ptr<const Bytes> KnownData(ValueId id) const { return KnownData(*scopes_.back().graph, id); }
  // Whether these may stand for the value for good: they are known and, if they are one truth value, which
  // may decide what is run, they would be the same for sizes that were not tried.
  bool MayBeConstant(const Graph& graph, ValueId id) const;
  // Whether these were computed from sizes that inputs may have otherwise (a batch size compared with 1), so
  // that with sizes that were not tried they might be others.
  bool DependsOnSizes(const Graph& graph, ValueId id) const { return by_size_.count({&graph, id}) != 0; }

  // Values met that no shape decides and that decide the size of a tensor which nothing bounds: they have to
  // be known when memory is planned.
  using Place = std::pair<const Graph*, ValueId>;
  const std::set<Place>& deciding_values() const { return deciding_values_; }

 private:
  using FailedNode = std::pair<const Graph*, const Node*>;
  friend class HostBody;
  friend class SizeSearch;

  struct Binding {
    ValueId outer;
    bool same_value;
    uint32_t changing_dims;
  };
  struct Scope {
    Graph* graph;
    std::vector<const Node*> visited;
    std::unordered_map<ValueId, Binding> bindings;  // of inputs
  };

  Status VisitInProbes(Graph& graph, const Node& node);
  Status VisitInProbe(Graph& graph, const Node& node, size_t probe);
  Status InferNode(Graph& graph, const Node& node, size_t probe, OpCall& call);
  void TakeKnownResults(const Node& node, const std::vector<const HostTensor*>& inputs,
                        const std::vector<HostTensor*>& outputs, size_t probe);
  Status CheckRanks(const Graph& graph, const Node& node) const;
  void NoteSizes(const Graph& graph, const Node& node);
  // Gives dimensions that data decide the sizes that are tried; kInvalidModel where their product overflows.
  Status SizeRunDims(const Graph& graph, ValueId id, size_t probe);
  // Visits everything again in the present attempt, and publishes all; or one body alone, if it fits.
  Status Repeat(Graph* body = nullptr);
  Status Find(const Graph& graph, ValueId id, size_t probe, const HostTensor** out);
  Status FindInput(const Graph& graph, ValueId id, size_t probe, HostTensor* out);
  void Reset(size_t attempt);
  void PublishBody(Graph& body);
  void PublishResults(Graph& graph, const Node& node);
  void Publish(Graph& graph, ValueId id);

  std::vector<Scope> scopes_;  // the graph itself, then bodies entered
  Symbols symbols_;
  size_t attempt_ = 0;
  int equated_ = 0;  // how often symbols were made equal to see whether all fits then
  Probes probes_;    // one if there are no symbols, else two
  std::set<Place> by_size_;
  std::set<Place> deciding_values_;
  Misfits misfits_;
  std::vector<FailedNode> failures_;  // nodes that did not fit since it was cleared
};

// Infers every node of a graph in run order; errors name the node.
Status InferShapes(Graph& graph);

// "node 'conv1' (Conv, opset 13)" for messages.
std::string Describe(const Node& node);

}  // namespace micrort::ir
