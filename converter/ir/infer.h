#pragma once
// Types and shapes of values.
//
// A dimension of a graph input that is not fixed is a symbol: dimensions of one name are one symbol, each
// without a name is its own. Shapes, and the values of shape computations, are expressions over symbols
// (converter/ir/size): a dimension is static, and a value known, only where its expression is a number. A
// dimension that the data of a run decide (how many elements are not zero) is one more symbol, and so is one
// that a loop changes. What operators require of sizes is solved for symbols (Solver); inside a body that
// holds for the body alone.
//
// Types, and what operators check beside sizes, are found by the runtime's own prepare, at sizes that are
// chosen (Witness) to fit what operators need. Expressions have to give the sizes that prepare gives. A
// branch of an If that cannot run with the sizes of the rest is looked at with sizes of its own, and its
// values keep what they had where there are none.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "converter/ir/graph.h"
#include "converter/ir/op_call.h"
#include "converter/ir/probe.h"
#include "converter/ir/size/needs.h"
#include "converter/ir/size/size_table.h"
#include "converter/ir/size/solver.h"
#include "kernels/base/status.h"

namespace micrort::ir {

// Whether what failed could do with inputs of other sizes: dimensions that do not fit each other, positions
// that reach beyond a table (embeddings of a language model have one for its longest text), or tensors larger
// than ModelLimits allow.
bool MaySuitOtherSizes(const Status& status);

// Visits nodes in run order, as they are appended or all at once. While it lives, visited nodes must not be
// removed. A node with bodies is visited with all that is in these: their values get types and shapes, too.
class ShapeInference {
 public:
  explicit ShapeInference(Graph& graph);

  // Sets dtype, shape and dimension names of the node's outputs. A dtype that an output has already is kept,
  // and is an error if the operator gives another. Errors do not name the node.
  Status Visit(const Node& node);

  // Dimensions of graph inputs that can have one size only, because a weight says so, get it. The graph is
  // told of these, and of what the others keep.
  void FixInputs();

  // For a body whose node is not there yet: nodes visited from now on, until Leave, are appended to it.
  void Enter(Graph& body);
  void Leave();
  // An input of a graph that was entered stands for a value of the graph around it.
  //   same_value: it has that one's elements, not just its type and shape.
  //   changing_dims: of these dimensions, a bit each, it has any size.
  void Bind(const Graph& graph, ValueId input, ValueId outer, bool same_value, uint32_t changing_dims);

  // Two values of one rank in the graph entered last: the dimensions, a bit each, in which they may differ.
  Status DifferingDims(ValueId a, ValueId b, uint32_t* dims);

  // The value's elements if they are the same whatever the graph's inputs hold and however large they are;
  // null if they are not, or too many to be worth it.
  std::shared_ptr<const Bytes> KnownData(const Graph& graph, ValueId id) const;

  using Place = std::pair<const Graph*, ValueId>;
  // Sizes met that data decide, and that nothing bounds.
  struct DataSizes {
    struct Tensor {
      const Node* node;  // that computes it
      uint32_t dims;     // which, a bit each
    };
    std::map<Place, Tensor> tensors;
    // The values that decide those sizes. No shape decides them, so planning has to know them.
    std::set<Place> deciders;
  };
  const DataSizes& data_sizes() const { return data_sizes_; }
  // Shape and elements of a value of the graph, or of a body in it, that was visited, with all that is known
  // of symbols; of inputs and constants, too.
  size::SizedTensor SizesOf(const Graph& graph, ValueId id);
  const size::SizeTable& sizes() const { return sizes_; }

 private:
  friend class HostBody;
  friend struct BodyFacts;
  friend class NodeInference;
  friend class SizeFitter;

  struct Binding {
    ValueId outer;
    bool same_value;
    uint32_t changing_dims;
  };
  // `hard` holds what is required; `likely` adds what is usually so, and sizes are tried by it. `needs` is
  // what operators need beside that.
  struct Knowledge {
    size::Solver hard, likely;
    size::Needs needs;
  };
  struct BodyVisit {
    Knowledge known;     // with what it was found to require so far
    const Node* failed;  // null where all of it ran
  };
  struct Scope {
    Graph* graph;
    std::vector<const Node*> visited;
    std::unordered_map<ValueId, Binding> bindings;  // of inputs
    Knowledge outside;                              // when it was entered
  };

  // Visits a node of the scope entered last, at the sizes that are tried; *moved: others are to be tried.
  Status VisitOnce(Graph& graph, const Node& node, bool* moved);
  Status VisitInBody(Graph& graph, const Node& node);
  // Visits everything again, with the sizes that are to be tried now, until nothing more is learned of these.
  Status Repeat();
  // Whether what was learned asks for other sizes than those that are tried.
  bool HasMoved();
  void StartTrying();

  Status Find(const Graph& graph, ValueId id, const HostTensor** out);
  Status FindInput(const Graph& graph, ValueId id, HostTensor* out);
  // The size of a dimension that is tried.
  int64_t TriedSize(const size::Expr& e) const;
  bool IsConstant(const Graph& graph, ValueId id);
  void MakeSizesOfInput(const Graph& graph, ValueId id);
  const Binding* BindingOf(const Graph& graph, ValueId id, const Graph** around) const;

  void PublishBody(Graph& body);
  void PublishResults(Graph& graph, const Node& node);
  void Publish(Graph& graph, ValueId id);

  size::SizeTable sizes_;
  Knowledge known_;
  std::unordered_map<ValueId, std::vector<size::Expr>> input_shapes_;  // of the outermost graph
  std::vector<Scope> scopes_;  // the graph itself, then bodies entered

  Probe probe_;
  std::vector<std::optional<int64_t>> tried_;  // sizes of free symbols that probe_ was made with
  size::Solver trying_;                        // known_.likely, when these were chosen
  int tried_version_ = 0;  // of known_.likely, when it was found to ask for the same sizes
  int repeats_ = 0;
  size_t repeated_ = 0;           // nodes and symbols that repeats have looked at
  bool has_tried_equal_ = false;  // since there were so many
  int64_t visits_left_ = 20000;   // of nodes, to look for sizes of inputs that operators run with
  bool is_refuted_ = false;       // what failed last cannot run with any sizes
  const Node* failed_ = nullptr;  // where Repeat() returns an error: its node
  DataSizes data_sizes_;
  // Bodies that were visited. `fits_` tells whether one can run with the sizes that are tried, `visits_`
  // holds its last visit, and those in `impossible_` run with no sizes.
  std::map<const Graph*, bool> fits_;
  std::map<const Graph*, BodyVisit> visits_;
  std::set<const Graph*> impossible_;
};

// Infers every node of a graph in run order; errors name the node.
Status InferShapes(Graph& graph);

// "node 'conv1' (Conv, opset 13)" for messages.
std::string Describe(const Node& node);

}  // namespace micrort::ir
