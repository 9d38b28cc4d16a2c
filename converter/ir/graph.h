#pragma once
// The converter's graph. Its operators are those of the file (schema/micrort.fbs), with their options in the
// schema's object form: what is legal in the file is legal here, and emitting is a copy. Frontends express
// other operators by these; image operators are NHWC from the start, with explicit Transposes around them
// that the layout pass moves and cancels.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "converter/ir/bytes.h"
#include "kernels/base/dtype.h"
#include "schema/micrort_generated.h"

namespace micrort::ir {

namespace size {
struct InputSizes;
}

using ValueId = int;
constexpr ValueId kNoValue = -1;  // an optional input that is absent
constexpr int64_t kDynamic = -1;

// What the name of a dimension says to a reader; "" unless it is made of names of inputs' dimensions alone.
std::string ReadableDim(const std::string& name);

struct Quantization {
  std::vector<float> scales;         // empty: not quantized
  std::vector<int32_t> zero_points;  // empty: all zero
  int axis = -1;
  int group = 0;  // of int4

  bool empty() const { return scales.empty(); }
  bool operator==(const Quantization& o) const {
    return scales == o.scales && zero_points == o.zero_points && axis == o.axis && group == o.group;
  }
};

struct Value {
  std::string name;  // unique in its graph, as in the source model where the value exists there
  DType dtype = DType::kUnknown;
  bool has_shape = false;      // false until inference has seen it
  std::vector<int64_t> shape;  // kDynamic where not fixed
  // Empty, or one a dimension, "" where it has none. Of an input's, the source's name; else that name where
  // it is the same dimension, or "=" and the expression that inference found. In this, symbols without a name
  // are written ?1, ?2 ..., which differ in each inference.
  std::vector<std::string> dim_names;
  bool sized_by_values = false;  // the values of inputs decide a dimension, not their shapes
  // Empty, or the largest size of each dimension that data decide, 0 of those where nothing is stated.
  std::vector<int32_t> max_shape;
  Quantization quantization;
  std::shared_ptr<const Bytes> data;  // null unless constant; shared between graphs, never changed
  // For a float32 constant, or input, that was given as integers: how these became floats. A hint for making
  // integers of it again, to be checked against the elements.
  Quantization source_quantization;
  // For a float32 constant that was given as integers of 32 bits, which float does not hold exactly: these,
  // in its order. A hint too: elements may have changed since.
  std::shared_ptr<const std::vector<int32_t>> source_integers;
  // int4 or uint4 in the source model, here with a byte for each element.
  bool is_four_bit = false;
  bool decides_shapes = false;  // of a graph input: its value is needed when memory is planned
  // For comparing layer by layer with the source model. Frontends set in_source on the values that its file
  // names; when passes merge two values, such a name survives. The layout pass records the order of
  // dimensions.
  bool in_source = false;
  std::vector<int> source_order;  // dimension i here is dimension source_order[i] there; empty: as there

  bool is_constant() const { return data != nullptr; }
  bool is_static() const;  // has_shape and no dimension is dynamic
  int rank() const { return static_cast<int>(shape.size()); }
  // Values that a Builder makes after an error have no shape: kDynamic.
  int64_t dim(size_t axis) const { return axis < shape.size() ? shape[axis] : kDynamic; }
  int64_t elements() const;  // of a static shape
  // Elements of a constant. T must be the element type.
  template <typename T>
  const T* as() const {
    return reinterpret_cast<const T*>(data->data());
  }
};

// Mean and standard deviation of each channel of an output on the data that the network was trained with,
// where a batch normalization tells them: its shifts and factors. Empty if unknown.
struct TrainedOutput {
  std::vector<float> means, deviations;
};

struct Node {
  std::string name;       // of the source node
  std::string source_op;  // "Conv", for messages
  int source_opset = 0;
  schema::OpCode code = schema::OpCode::Conv2D;
  schema::OptionsUnion options;
  schema::Rounding rounding = schema::Rounding::Exact;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  // Passes that fold and fuse hand it on to the layer, where it speaks of the output before the activation.
  TrainedOutput trained;
  // The graphs that If and Loop run, in the order of the schema; the emitter sets their indices in the
  // options. What they read of the graph around them is an input of this node, and of each of them; see
  // FirstBodyInput.
  std::vector<std::shared_ptr<class Graph>> bodies;

  // The options in the form of this node's operator; created with defaults if there are none yet.
  template <typename OptionsT>
  OptionsT& as() {
    if (options.type == schema::Options::NONE) options.Set(OptionsT());
    return *static_cast<OptionsT*>(options.value);
  }
  template <typename OptionsT>
  const OptionsT& as() const {
    return *static_cast<const OptionsT*>(options.value);
  }
  bool has_input(size_t i) const { return i < inputs.size() && inputs[i] != kNoValue; }
};

// The input of the node that input 0 of its bodies stands for: after an If's condition, or a Loop's trip
// count, which is the number of the iteration to the body.
size_t FirstBodyInput(const Node& node);
// The first input of the node that its bodies merely read: after those that are its own and the values that
// it carries.
size_t FirstCapture(const Node& node);

// A value that the interpreter keeps between runs.
struct State {
  std::shared_ptr<const Bytes> initial;  // null: zero
  schema::StateKind kind = schema::StateKind::Value;
};

// Nodes are kept in an order in which they can run. Ids of values and references to them stay valid for the
// graph's life; values that nothing names any more are dropped by the emitter.
class Graph {
 public:
  std::string name;
  std::vector<ValueId> inputs;  // without constants
  std::vector<ValueId> outputs;
  // For the entry: kept in the last inputs and outputs, as many of each and in this order. What a run leaves
  // in such an output is what the next one finds in the input.
  std::vector<State> states;
  std::vector<std::unique_ptr<Node>> nodes;
  // For the entry: what the source requires of the sizes of inputs, by their names. Null until it is
  // imported.
  std::shared_ptr<const size::InputSizes> input_sizes;

  size_t caller_inputs() const { return inputs.size() - states.size(); }
  size_t caller_outputs() const { return outputs.size() - states.size(); }

  ValueId AddValue(Value value);  // makes the name unique by a suffix if it is taken or empty
  Value& value(ValueId id) { return values_[static_cast<size_t>(id)]; }
  const Value& value(ValueId id) const { return values_[static_cast<size_t>(id)]; }
  size_t value_count() const { return values_.size(); }
  ValueId FindValue(const std::string& name) const;  // kNoValue if there is none
  void Rename(ValueId id, const std::string& name);  // as AddValue, unique by a suffix if it is taken

  ValueId AddConstant(const std::string& name, DType dtype, std::vector<int64_t> shape, Bytes data);
  template <typename T>
  ValueId AddConstantOf(const std::string& name, std::vector<int64_t> shape, const std::vector<T>& elements) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(elements.data());
    return AddConstant(name, kDTypeOf<T>, std::move(shape),
                       Bytes(bytes, bytes + elements.size() * sizeof(T)));
  }

  // Who writes and who reads a value. Recomputed on demand after edits; a pass calls Uses() anew after
  // changing edges.
  struct Uses {
    std::vector<Node*> producer;                // by ValueId; null for inputs and constants
    std::vector<std::vector<Node*>> consumers;  // by ValueId; a node appears once for every use
    std::vector<bool> is_output;                // of the graph
    // The only reader of the value, or null if there are several or the value is a graph output.
    Node* single_consumer(ValueId id) const;
  };
  Uses ComputeUses() const;
  void ComputeUses(Uses* uses) const;  // reuses the memory of former ones

  // Every use of `from`, as node input and as graph output, becomes `to`.
  void ReplaceUses(ValueId from, ValueId to);
  // The same nodes and values under the same ids; constants are shared.
  std::unique_ptr<Graph> Clone() const;
  // Restores run order after edits; false if the graph has a cycle.
  bool Sort();

 private:
  std::string UniqueName(const std::string& wanted);

  std::deque<Value> values_;
  std::unordered_map<std::string, ValueId> ids_;      // by name
  std::unordered_map<std::string, int> next_suffix_;  // by the name that was wanted
};

// The graphs of all nodes in the graph, and of all nodes in these, outer ones first.
std::vector<std::shared_ptr<Graph>> BodiesIn(const Graph& graph);

// What a frontend makes and the pipeline works on.
struct Module {
  std::vector<std::unique_ptr<Graph>> graphs;  // one, the entry; its nodes own the others
  std::string source_format;                   // "onnx"
  std::vector<std::pair<std::string, std::string>> metadata;

  Graph& entry() { return *graphs[0]; }
};

}  // namespace micrort::ir
