#include "converter/ir/build.h"

#include "kernels/base/checked_math.h"

namespace micrort::ir {

NodeAppender::NodeAppender(Graph& graph, Origin origin, std::string stem, Append append)
    : origin(std::move(origin)), graph_(graph), stem_(std::move(stem)), append_(std::move(append)) {
  if (append_) return;
  append_ = [&graph](std::unique_ptr<Node> node) {
    graph.nodes.push_back(std::move(node));
    return Status();
  };
}

void NodeAppender::ExpectElements(const std::vector<int64_t>& shape, size_t count) {
  int64_t expected = 1;
  bool fits = true;
  for (const int64_t dim : shape) fits = fits && dim >= 0 && CheckedMul(expected, dim, &expected);
  if (status_.ok() && !(fits && static_cast<size_t>(expected) == count))
    status_ = MICRORT_ERROR(kInternal, "%s: a constant of %zu elements, which its shape does not have",
                            stem_.c_str(), count);
}

std::vector<ValueId> NodeAppender::Emit(schema::OpCode code, schema::OptionsUnion options,
                                        std::vector<ValueId> inputs, std::vector<Value> outputs,
                                        std::vector<std::shared_ptr<Graph>> bodies,
                                        schema::Rounding rounding) {
  std::vector<ValueId> ids;
  for (Value& output : outputs) {
    output.name = stem_ + "/" + schema::EnumNameOpCode(code);
    ids.push_back(graph_.AddValue(std::move(output)));
  }
  if (!status_.ok()) return ids;

  auto node = std::make_unique<Node>();
  node->name = origin.name;
  node->source_op = origin.op;
  node->source_opset = origin.opset;
  node->code = code;
  node->options = std::move(options);
  node->rounding = rounding;
  node->inputs = std::move(inputs);
  node->outputs = ids;
  node->bodies = std::move(bodies);
  status_ = append_(std::move(node));
  return ids;
}

ValueId OperatorBuilder::Transpose(ValueId x, std::vector<int32_t> permutation) {
  schema::TransposeOptionsT options;
  options.permutation = std::move(permutation);
  return Add(std::move(options), {x});
}

ValueId OperatorBuilder::Reshape(ValueId x, std::vector<int32_t> shape) {
  schema::ReshapeOptionsT options;
  options.shape = std::move(shape);
  return Add(std::move(options), {x});
}

ValueId OperatorBuilder::Unary(schema::UnaryKind kind, ValueId x, float a, float b) {
  schema::UnaryOptionsT options;
  options.kind = kind;
  options.a = a;
  options.b = b;
  return Add(std::move(options), {x});
}

ValueId OperatorBuilder::Binary(schema::BinaryKind kind, ValueId a, ValueId b) {
  schema::BinaryOptionsT options;
  options.kind = kind;
  return Add(std::move(options), {a, b});
}

ValueId OperatorBuilder::Reduce(schema::ReduceKind kind, ValueId x, std::vector<int32_t> axes,
                                bool keep_dims) {
  schema::ReduceOptionsT options;
  options.kind = kind;
  options.axes = std::move(axes);
  options.keep_dims = keep_dims;
  return Add(std::move(options), {x});
}

ValueId OperatorBuilder::Softmax(ValueId x, int axis, bool log) {
  schema::SoftmaxOptionsT options;
  options.axis = axis;
  options.log = log;
  return Add(std::move(options), {x});
}

ValueId OperatorBuilder::Concat(const std::vector<ValueId>& parts, int axis) {
  schema::ConcatOptionsT options;
  options.axis = axis;
  return Add(std::move(options), parts);
}

ValueId OperatorBuilder::Slice(ValueId x, int axis, int64_t start, int64_t end) {
  schema::SliceOptionsT options;
  options.starts = {start};
  options.ends = {end};
  options.axes = {axis};
  options.steps = {1};
  return Add(std::move(options), {x});
}

ValueId OperatorBuilder::Gather(ValueId data, ValueId indices, int axis) {
  schema::GatherOptionsT options;
  options.axis = axis;
  return Add(std::move(options), {data, indices});
}

ValueId OperatorBuilder::Cast(ValueId x, DType to) { return Add(schema::CastOptionsT(), {x}, to); }

ValueId OperatorBuilder::BitCast(ValueId x, DType to) {
  schema::CastOptionsT options;
  options.reinterpret = true;
  return Add(std::move(options), {x}, to);
}

ValueId OperatorBuilder::Quantize(ValueId x, DType to, Quantization quantization) {
  schema::OptionsUnion options;
  options.Set(schema::QuantizeOptionsT());
  Value output;
  output.dtype = to;
  output.quantization = std::move(quantization);
  return Emit(schema::OpCode::Quantize, std::move(options), {x}, {std::move(output)})[0];
}

ValueId OperatorBuilder::ShapeOf(ValueId x) { return Add(schema::ShapeOptionsT(), {x}); }

}  // namespace micrort::ir
