#pragma once
// Appending nodes to a graph, for frontends and passes.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"
#include "runtime/model/operator_options.h"

namespace micrort::ir {

// The most elements of a constant that importers make, and of whatever else they count one by one: a few
// bytes of a file may ask for any number.
constexpr int64_t kMaxMade = int64_t{1} << 24;

// The operator that has options of this type.
template <typename OptionsT>
schema::OpCode OpCodeFor() {
  return OpCodeOf(schema::OptionsUnionTraits<OptionsT>::enum_value);
}

// Codes in ReshapeOptions.shape: what the number of elements leaves; dimension i of the input.
constexpr int32_t kInferDim = -1;
constexpr int32_t CopyDim(int i) { return -2 - i; }

// Kinds of elementwise operators that Builder has by their names.
#define MICRORT_UNARY_KINDS(Op)                                                                           \
  Op(Abs) Op(Atan) Op(Atanh) Op(Cos) Op(Erf) Op(Exp) Op(Floor) Op(Identity) Op(IsInf) Op(IsNaN) Op(Log)   \
      Op(Neg) Op(Not) Op(Reciprocal) Op(Round) Op(Sigmoid) Op(Sign) Op(Sin) Op(Softplus) Op(Sqrt) Op(Tan) \
          Op(Tanh)
#define MICRORT_BINARY_KINDS(Op)                                                                            \
  Op(Add) Op(And) Op(BitwiseAnd) Op(BitwiseXor) Op(Div) Op(Equal) Op(Greater) Op(GreaterOrEqual) Op(Less)   \
      Op(LessOrEqual) Op(Max) Op(Min) Op(Mod) Op(Mul) Op(Or) Op(PRelu) Op(Pow) Op(ShiftLeft) Op(ShiftRight) \
          Op(Sub) Op(Xor)

// Inputs without the absent ones at the end.
inline std::vector<ValueId> Present(std::vector<ValueId> inputs) {
  while (!inputs.empty() && inputs.back() == kNoValue) inputs.pop_back();
  return inputs;
}

// Cuts [start, end) by Python's rules along one axis more, every step-th element.
inline void AddRange(int axis, int64_t start, int64_t end, int64_t step, schema::SliceOptionsT* slice) {
  slice->axes.push_back(axis);
  slice->starts.push_back(start);
  slice->ends.push_back(end);
  slice->steps.push_back(step);
}

// What new nodes say about where they come from.
struct Origin {
  std::string name;
  std::string op;
  int opset = 0;
};
inline Origin OriginOf(const Node& node) { return {node.name, node.source_op, node.source_opset}; }

// Appends nodes at the end of a graph; a pass calls Graph::Sort() when it is done. New values are named after
// `stem` ("conv1/Transpose"). The first error that `append` returns stays in status(), and nothing is
// appended after it: values made then have no producer and no shape.
class NodeAppender {
 public:
  // Takes a new node; by default the end of graph.nodes does.
  using Append = std::function<Status(std::unique_ptr<Node> node)>;

  NodeAppender(Graph& graph, Origin origin, std::string stem, Append append = nullptr);

  const Origin origin;  // of all that it appends

  Graph& graph() { return graph_; }
  const Status& status() const { return status_; }
  // The value, or the error.
  template <typename T>
  Result<T> Checked(T value) const {
    return status_.ok() ? Result<T>(std::move(value)) : Result<T>(status_);
  }

  // A node with one output, which has `dtype` or, if that is unknown, what inference finds.
  template <typename OptionsT>
  ValueId Add(OptionsT options, std::vector<ValueId> inputs, DType dtype = DType::kUnknown) {
    schema::OptionsUnion any;
    any.Set(std::move(options));
    Value output;
    output.dtype = dtype;
    return Emit(OpCodeFor<OptionsT>(), std::move(any), std::move(inputs), {std::move(output)})[0];
  }

  // A node that rounds as TensorFlow Lite does, whose output is of integers that stand for numbers.
  template <typename OptionsT>
  ValueId AddFixed(OptionsT options, std::vector<ValueId> inputs, DType dtype, Quantization quantization) {
    schema::OptionsUnion any;
    any.Set(std::move(options));
    Value output;
    output.dtype = dtype;
    output.quantization = std::move(quantization);
    return Emit(OpCodeFor<OptionsT>(), std::move(any), std::move(inputs), {std::move(output)}, {},
                schema::Rounding::Tflite)[0];
  }

  // A node with several outputs, whose types inference finds.
  template <typename OptionsT>
  std::vector<ValueId> AddMany(OptionsT options, std::vector<ValueId> inputs, size_t outputs) {
    schema::OptionsUnion any;
    any.Set(std::move(options));
    return Emit(OpCodeFor<OptionsT>(), std::move(any), std::move(inputs), std::vector<Value>(outputs));
  }

  // A node that runs graphs of its own.
  template <typename OptionsT>
  std::vector<ValueId> AddWithBodies(OptionsT options, std::vector<ValueId> inputs, size_t outputs,
                                     std::vector<std::shared_ptr<Graph>> bodies) {
    schema::OptionsUnion any;
    any.Set(std::move(options));
    return Emit(OpCodeFor<OptionsT>(), std::move(any), std::move(inputs), std::vector<Value>(outputs),
                std::move(bodies));
  }

  // Constants.
  template <typename T>
  ValueId Constant(std::vector<int64_t> shape, const std::vector<T>& elements) {
    ExpectElements(shape, elements.size());
    return graph_.AddConstantOf(stem_ + "/constant", std::move(shape), elements);
  }
  ValueId Scalar(double v) { return Constant<float>({}, {static_cast<float>(v)}); }
  ValueId Integers(const std::vector<int64_t>& v) { return Constant({static_cast<int64_t>(v.size())}, v); }

 protected:
  std::vector<ValueId> Emit(schema::OpCode code, schema::OptionsUnion options, std::vector<ValueId> inputs,
                            std::vector<Value> outputs, std::vector<std::shared_ptr<Graph>> bodies = {},
                            schema::Rounding rounding = schema::Rounding::Exact);

 private:
  // A constant is read while the model is converted: it has to be what its shape says.
  void ExpectElements(const std::vector<int64_t>& shape, size_t count);
  Graph& graph_;
  std::string stem_;
  Append append_;
  Status status_;
};

// Operators by their names, with their options as arguments.
class OperatorBuilder : public NodeAppender {
 public:
  using NodeAppender::Add;
  using NodeAppender::NodeAppender;

  ValueId Transpose(ValueId x, std::vector<int32_t> permutation);
  ValueId Reshape(ValueId x, std::vector<int32_t> shape);  // as ReshapeOptions.shape
  ValueId Unary(schema::UnaryKind kind, ValueId x, float a = 0, float b = 0);
  ValueId Binary(schema::BinaryKind kind, ValueId a, ValueId b);
#define MICRORT_UNARY(kind) \
  ValueId kind(ValueId x) { return Unary(schema::UnaryKind::kind, x); }
#define MICRORT_BINARY(kind) \
  ValueId kind(ValueId a, ValueId b) { return Binary(schema::BinaryKind::kind, a, b); }
  MICRORT_UNARY_KINDS(MICRORT_UNARY)
  MICRORT_BINARY_KINDS(MICRORT_BINARY)
#undef MICRORT_UNARY
#undef MICRORT_BINARY
  // Inputs are lists, in which what makes them is called in order.
  ValueId Select(std::vector<ValueId> inputs, DType dtype = DType::kUnknown) {
    return Add(schema::SelectOptionsT(), std::move(inputs), dtype);
  }
  ValueId If(ValueId condition, ValueId a, ValueId b) { return Select({condition, a, b}); }
  ValueId Expand(std::vector<ValueId> inputs) { return Add(schema::ExpandOptionsT(), std::move(inputs)); }
  ValueId Range(std::vector<ValueId> inputs) { return Add(schema::RangeOptionsT(), std::move(inputs)); }
  ValueId Reduce(schema::ReduceKind kind, ValueId x, std::vector<int32_t> axes, bool keep_dims);
  ValueId Softmax(ValueId x, int axis, bool log = false);
  ValueId Concat(const std::vector<ValueId>& parts, int axis);
  // [start, end) along one axis, Python's rules.
  ValueId Slice(ValueId x, int axis, int64_t start, int64_t end);
  ValueId Gather(ValueId data, ValueId indices, int axis);
  ValueId Cast(ValueId x, DType to);
  // The bits of x as elements of another type of the same size.
  ValueId BitCast(ValueId x, DType to);
  ValueId Quantize(ValueId x, DType to, Quantization quantization);
  ValueId ShapeOf(ValueId x);
};

// Adds combinations of operators that importers and passes need often: numbers, types, dimensions of size 1,
// elements that are picked, placed or padded. A list of inputs holds the operator's inputs; C++ evaluates the
// elements of a list in order.
class Builder : public OperatorBuilder {
 public:
  using OperatorBuilder::OperatorBuilder;

  // A scalar int64.
  ValueId Integer(int64_t v) { return Constant<int64_t>({}, {v}); }
  ValueId Scaled(ValueId x, float factor) { return Mul(x, Scalar(factor)); }
  // x in another type, or as it is where it has that.
  ValueId As(ValueId x, DType to) { return graph().value(x).dtype == to ? x : Cast(x, to); }

  // To a shape that the model computes, int64, in which 0 is a size.
  ValueId ReshapeTo(ValueId x, ValueId shape);
  // A vector as dimension `axis` of `rank` dimensions, the others of which have size 1.
  ValueId Along(ValueId x, int axis, int rank);

  // x with its last two dimensions, if it has as many, in each other's place.
  ValueId SwapLastTwo(ValueId x);
  // x with a dimension of size 1 before dimension `axis`; axis may be the rank.
  ValueId InsertDim(ValueId x, int axis);
  // x without the dimension, which has size 1.
  ValueId DropDim(ValueId x, int axis) { return DropDims(x, {axis}); }
  // x without these dimensions, sorted.
  ValueId DropDims(ValueId x, const std::vector<int32_t>& axes);
  // x at one place along the axis, without that dimension.
  ValueId PickAt(ValueId x, int axis, int64_t place);
  // Size of a dimension as int64 [1].
  ValueId DimOf(ValueId x, int axis);
  // Sizes of dimensions [begin, end), by Python's rules.
  ValueId SizesOf(ValueId x, int64_t begin, int64_t end) { return Slice(ShapeOf(x), 0, begin, end); }

  // {data, indices}
  ValueId GatherND(std::vector<ValueId> inputs, int batch_dims);
  ValueId GatherElements(std::vector<ValueId> inputs, int axis);
  // {into, indices, updates}
  ValueId ScatterND(std::vector<ValueId> inputs, schema::ScatterReduction reduction);
  ValueId ScatterElements(std::vector<ValueId> inputs, int axis,
                          schema::ScatterReduction reduction = schema::ScatterReduction::None);
  // The k (int64 [1]) largest, or least, elements along the axis in order, and where they are.
  std::vector<ValueId> TopK(ValueId x, ValueId k, int axis, bool largest = true);
  // {a, b} or {a, b, bias}
  ValueId MatMul(std::vector<ValueId> inputs, bool transpose_b);

  // [start, end) along one axis by Python's rules, every step-th element.
  ValueId SliceSteps(ValueId x, int axis, int64_t start, int64_t end, int64_t step);
  // From the last element to the first along each of the axes.
  ValueId Reversed(ValueId x, const std::vector<int32_t>& axes);
  // pads: all begins, then all ends; negative numbers crop.
  ValueId Padded(ValueId x, std::vector<int64_t> pads, float value = 0);
  // Zeros before and after one dimension, or none of both.
  ValueId PadDim(ValueId x, int axis, int64_t begin, int64_t end);
};

}  // namespace micrort::ir
