#include "converter/qdq/io_types.h"

#include <map>
#include <optional>

#include "converter/ir/build.h"
#include "converter/ir/infer.h"
#include "converter/ir/op_facts.h"
#include "converter/qdq/int16_edges.h"
#include "converter/qdq/passes.h"
#include "converter/qdq/quantized_values.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/value_quantization.h"

namespace micrort::qdq {
namespace {

using passes::Site;
using schema::OpCode;

constexpr int32_t kUnsignedOffset = 128;

DType ElementType(IoType type) {
  switch (type) {
    case IoType::kInt8:
      return DType::kInt8;
    case IoType::kUInt8:
      return DType::kUInt8;
    default:
      return DType::kFloat32;
  }
}

// The same numbers as bytes of another type.
ir::Quantization As(DType to, DType from, ir::Quantization q) {
  if (q.zero_points.empty()) q.zero_points.assign(q.scales.size(), 0);
  const int32_t offset =
      (to == DType::kUInt8 ? kUnsignedOffset : 0) - (from == DType::kUInt8 ? kUnsignedOffset : 0);
  for (int32_t& zero_point : q.zero_points) zero_point += offset;
  return q;
}

// What an operator gives for any input.
std::optional<observe::Range> RangeOfResults(const ir::Node& node) {
  if (node.code == OpCode::Softmax && !node.as<schema::SoftmaxOptionsT>().log) return observe::Range{0, 1};
  if (node.code != OpCode::Unary) return std::nullopt;
  const schema::UnaryKind kind = node.as<schema::UnaryOptionsT>().kind;
  if (kind == schema::UnaryKind::Sigmoid) return observe::Range{0, 1};
  if (kind == schema::UnaryKind::Tanh) return observe::Range{-1, 1};
  return std::nullopt;
}

class Edges {
 public:
  Edges(IoType type, const observe::Ranges& ranges, ir::Graph* graph)
      : to_(ElementType(type)), ranges_(ranges), graph_(*graph), uses_(graph->ComputeUses()) {}

  Status Convert() {
    const size_t inputs = graph_.caller_inputs(), outputs = graph_.caller_outputs();
    for (size_t i = 0; i < inputs; ++i) MICRORT_RETURN_IF_ERROR(ConvertInput(&graph_.inputs[i]));
    for (size_t i = 0; i < outputs; ++i) MICRORT_RETURN_IF_ERROR(ConvertOutput(&graph_.outputs[i]));
    return Status();
  }

 private:
  bool Converts(const ir::Value& value) const {
    const bool is_known = value.dtype == DType::kFloat32 || IsPerTensor(value);
    return is_known && value.dtype != to_ && !value.decides_shapes;
  }

  Status ConvertInput(ir::ValueId* input) {
    if (!Converts(graph_.value(*input))) return Status();
    ir::Quantization q;
    MICRORT_RETURN_IF_ERROR(EdgeQuantization("input", *input, QuantizationOfReaders(*input), &q));
    const ir::ValueId inner = *input;
    *input = NewEdge(inner, q);
    AddConversion(*input, inner);
    return Status();
  }

  Status ConvertOutput(ir::ValueId* output) {
    if (const auto done = edges_.find(*output); done != edges_.end()) {
      *output = done->second;
      return Status();
    }
    if (!Converts(graph_.value(*output))) return Status();
    ir::Quantization q;
    MICRORT_RETURN_IF_ERROR(EdgeQuantization("output", *output, QuantizationOfWriter(*output), &q));
    const ir::ValueId inner = *output;
    *output = edges_[inner] = NewEdge(inner, q);
    AddConversion(inner, *output);
    return Status();
  }

  // `near`: of the int8 value next to it, empty if there is none.
  Status EdgeQuantization(const char* what, ir::ValueId id, const ir::Quantization& near,
                          ir::Quantization* q) const {
    const ir::Value& value = graph_.value(id);
    if (to_ == DType::kFloat32) return Status();
    if (value.dtype != DType::kFloat32) {
      *q = As(to_, value.dtype, value.quantization);
      return Status();
    }
    if (!near.empty()) {
      *q = As(to_, DType::kInt8, near);
      return Status();
    }
    const ir::Node* producer = uses_.producer[static_cast<size_t>(id)];
    std::optional<observe::Range> range = producer == nullptr ? std::nullopt : RangeOfResults(*producer);
    if (const auto it = ranges_.find(value.name); !range && it != ranges_.end() && it->second.finite)
      range = it->second;
    if (!range) {
      return MICRORT_ERROR(kInvalidArgument,
                           "--io-type: %s '%s' is float32, and nothing tells its range: add --quant int8 and "
                           "--calib, or take a quantized model",
                           what, value.name.c_str());
    }
    *q = As(to_, DType::kInt8, quantize::QuantizeRange(*range));
    return Status();
  }

  // By way of what only moves elements.
  ir::Quantization QuantizationOfReaders(ir::ValueId id) const {
    for (const ir::Node* reader : uses_.consumers[static_cast<size_t>(id)]) {
      const ir::Value& read = graph_.value(reader->outputs[0]);
      if (reader->code == OpCode::Quantize && read.dtype == DType::kInt8 && IsPerTensor(read))
        return read.quantization;
      if (!ir::CommutesWithQuantization(graph_, *reader)) continue;
      const ir::Quantization q = QuantizationOfReaders(reader->outputs[0]);
      if (!q.empty()) return q;
    }
    return {};
  }

  ir::Quantization QuantizationOfWriter(ir::ValueId id) const {
    const ir::Node* writer = uses_.producer[static_cast<size_t>(id)];
    while (writer != nullptr && ir::CommutesWithQuantization(graph_, *writer))
      writer = uses_.producer[static_cast<size_t>(writer->inputs[0])];
    if (writer == nullptr || writer->code != OpCode::Dequantize) return {};
    const ir::Value& source = graph_.value(writer->inputs[0]);
    return source.dtype == DType::kInt8 && IsPerTensor(source) ? source.quantization : ir::Quantization();
  }

  // Takes the name over, which the caller knows.
  ir::ValueId NewEdge(ir::ValueId inner, const ir::Quantization& q) {
    ir::Value edge = graph_.value(inner);
    graph_.Rename(inner, edge.name + "_inner");
    graph_.value(inner).in_source = false;
    edge.data = nullptr;
    edge.source_quantization = to_ == DType::kFloat32 ? edge.quantization : ir::Quantization();
    edge.dtype = to_;
    edge.quantization = q;
    return graph_.AddValue(std::move(edge));
  }

  // Floats become uint8 by way of int8, which layers give.
  void AddConversion(ir::ValueId from, ir::ValueId to) {
    const DType a = graph_.value(from).dtype, b = graph_.value(to).dtype;
    if (a == DType::kFloat32 && b == DType::kUInt8) {
      const ir::ValueId bytes = AddBytesLike(&graph_, to, DType::kInt8,
                                             As(DType::kInt8, DType::kUInt8, graph_.value(to).quantization));
      AddNode(schema::QuantizeOptionsT(), from, bytes);
      return AddConversion(bytes, to);
    }
    if (a == DType::kFloat32) return AddNode(schema::QuantizeOptionsT(), from, to);
    if (b == DType::kFloat32) return AddNode(schema::DequantizeOptionsT(), from, to);
    schema::UnaryOptionsT identity;
    identity.kind = schema::UnaryKind::Identity;
    AddNode(std::move(identity), from, to);
  }

  template <typename OptionsT>
  void AddNode(OptionsT options, ir::ValueId from, ir::ValueId to) {
    auto node = std::make_unique<ir::Node>();
    node->name = graph_.value(to).name;
    node->outputs = {to};
    Become(node.get(), std::move(options), {from});
    graph_.nodes.push_back(std::move(node));
  }

  const DType to_;
  const observe::Ranges& ranges_;
  ir::Graph& graph_;
  const ir::Graph::Uses uses_;                // before any conversion
  std::map<ir::ValueId, ir::ValueId> edges_;  // of outputs
};

// A layer of int8 by int8, without a residual, which would be as the output.
bool IsInt8Layer(const ir::Graph& graph, const ir::Node& node) {
  if (TraitsOf(node.code).int8 != Int8Role::kLayer || node.has_input(quantize::Layer::kResidual))
    return false;
  const ir::Value& weights = graph.value(node.inputs[quantize::Layer::kWeights]);
  return graph.value(node.inputs[quantize::Layer::kX]).dtype == DType::kInt8 && weights.dtype == DType::kInt8;
}

// An int8 layer gives int8 as well as float.
bool GiveBytes(const Site& site) {
  if (site.output().dtype != DType::kInt8) return false;
  ir::Node* layer = site.own_producer(0);
  if (layer == nullptr || !IsPerTensor(site.output()) || !IsInt8Layer(site.graph, *layer)) return false;
  TakeOutputOf(&site.node, layer);
  return true;
}

}  // namespace

Status SetIoTypes(IoType type, const observe::Ranges& ranges, ir::Graph* graph) {
  if (type == IoType::kKeep) return Status();
  if (type == IoType::kInt16) return SetInt16Edges(graph);
  MICRORT_RETURN_IF_ERROR(Edges(type, ranges, graph).Convert());
  if (!graph->Sort()) return MICRORT_ERROR(kInternal, "conversions of inputs and outputs make a cycle");
  MICRORT_RETURN_IF_ERROR(ir::InferShapes(*graph));
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto pass : {MoveBeforeDequantize, MoveAfterQuantize, MergeConversions})
      MICRORT_RETURN_IF_ERROR(pass(*graph, &changed));
    changed |= passes::RewriteNodes(*graph, {OpCode::Quantize}, GiveBytes);
  }
  passes::RemoveDeadNodes(*graph);
  return ir::InferShapes(*graph);
}

}  // namespace micrort::qdq
