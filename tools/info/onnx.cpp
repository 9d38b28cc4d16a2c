#include "tools/info/onnx.h"

#include <flatbuffers/minireflect.h>

#include "runtime/model/operator_bodies.h"
#include "runtime/model/schema_text.h"
#include "tools/info/protobuf_writer.h"

namespace micrort {
namespace {

// Field numbers of onnx.proto.
namespace model_field {
enum { kIrVersion = 1, kProducer = 2, kProducerVersion = 3, kGraph = 7, kOpset = 8, kMetadata = 14 };
}
namespace graph_field {
enum { kNode = 1, kName = 2, kInitializer = 5, kInput = 11, kOutput = 12, kValueInfo = 13 };
}
namespace node_field {
enum { kInput = 1, kOutput = 2, kName = 3, kOpType = 4, kAttribute = 5, kRemark = 6, kDomain = 7 };
}
namespace attribute_field {
enum { kName = 1, kString = 4, kGraph = 6, kType = 20 };
}
namespace tensor_field {
enum { kDim = 1, kType = 2, kName = 8, kRawData = 9, kRemark = 12 };
}
namespace value_field {
enum { kName = 1, kType = 2, kRemark = 3 };
}
enum { kAttributeString = 3, kAttributeGraph = 5 };
enum { kIrVersion = 8, kOpsetVersion = 1 };

// TensorProto.DataType, by our own types.
constexpr int kOnnxTypes[] = {0, 1, 10, 3, 2, 5, 4, 6, 12, 7, 13, 11, 9, 16, 22};
static_assert(sizeof(kOnnxTypes) / sizeof(kOnnxTypes[0]) == static_cast<size_t>(DType::kInt4) + 1, "");

int OnnxType(const schema::Tensor& tensor) { return kOnnxTypes[static_cast<size_t>(TypeOf(tensor))]; }

ProtobufWriter KeyAndValue(const std::string& key, const std::string& value) {
  ProtobufWriter pair;
  pair.Text(1, key);
  pair.Text(2, value);
  return pair;
}

// The fields of a table of the file.
std::string FieldsText(const void* table, const flatbuffers::TypeTable* type) {
  flatbuffers::ToStringVisitor text(" ", false, "", false);
  flatbuffers::IterateObject(static_cast<const uint8_t*>(table), type, &text);
  return text.s;
}

std::string QuantizationText(const schema::Tensor& tensor) {
  const auto* quantization = tensor.quantization();
  return quantization == nullptr ? "" : FieldsText(quantization, schema::QuantizationTypeTable());
}

// A dimension as ONNX counts it: our last one of 4-bit elements counts bytes.
int64_t Dim(const schema::Tensor& tensor, const Shape& shape, int i) {
  return TypeOf(tensor) == DType::kInt4 && i + 1 == shape.rank ? 2 * shape[i] : shape[i];
}

ProtobufWriter ValueInfo(const schema::Tensor& tensor) {
  const Shape shape = ShapeOf(tensor);
  ProtobufWriter dims, tensor_type, type, value;
  for (int i = 0; i < shape.rank; ++i) {
    ProtobufWriter dim;
    if (shape[i] >= 0) {
      dim.Integer(1, Dim(tensor, shape, i));
    } else {
      dim.Text(2, DimName(tensor, i));
    }
    dims.Message(1, dim);
  }
  tensor_type.Integer(1, OnnxType(tensor));
  tensor_type.Message(2, dims);
  type.Message(1, tensor_type);
  value.Text(value_field::kName, Text(tensor.name()));
  value.Message(value_field::kType, type);
  value.Text(value_field::kRemark, QuantizationText(tensor));
  return value;
}

class OnnxWriter {
 public:
  OnnxWriter(const schema::Model& model, uint64_t most_bytes) : model_(model), left_(most_bytes) {}

  // What is left out where there is no room is no graph.
  bool has_room() const { return has_room_; }

  ProtobufWriter Graph(const schema::Subgraph& subgraph) {
    ProtobufWriter graph;
    graph.Text(graph_field::kName, Text(subgraph.name()));
    const auto* tensors = subgraph.tensors();
    for (uint32_t i = 0; i < Count(subgraph.operators()); ++i) {
      graph.Message(graph_field::kNode, Node(subgraph, *subgraph.operators()->Get(i)));
    }
    for (const int32_t i : Ints(subgraph.inputs())) {
      graph.Message(graph_field::kInput, ValueInfo(*tensors->Get(static_cast<uint32_t>(i))));
    }
    for (const int32_t i : Ints(subgraph.outputs())) {
      graph.Message(graph_field::kOutput, ValueInfo(*tensors->Get(static_cast<uint32_t>(i))));
    }
    for (uint32_t i = 0; i < Count(tensors); ++i) AddTensor(*tensors->Get(i), &graph);
    return graph;
  }

 private:
  // Many tensors may have one buffer, and many operators the same options.
  bool Take(size_t bytes) {
    has_room_ = has_room_ && bytes <= left_;
    if (has_room_) left_ -= bytes;
    return has_room_;
  }

  // A constant, or what an operator writes.
  void AddTensor(const schema::Tensor& tensor, ProtobufWriter* graph) {
    if (tensor.buffer() == 0 && !tensor.packed_only()) {
      graph->Message(graph_field::kValueInfo, ValueInfo(tensor));
      return;
    }
    const Shape shape = ShapeOf(tensor);
    ProtobufWriter constant;
    for (int i = 0; i < shape.rank; ++i) constant.Integer(tensor_field::kDim, Dim(tensor, shape, i));
    constant.Integer(tensor_field::kType, OnnxType(tensor));
    constant.Text(tensor_field::kName, Text(tensor.name()));
    const Span<const uint8_t> data = BytesOfBuffer(model_, tensor.buffer());
    if (Take(data.size()) && data.data() != nullptr)
      constant.Bytes(tensor_field::kRawData, data.data(), data.size());
    const std::string packed = tensor.packed_only() ? "packed in the operators that read it. " : "";
    constant.Text(tensor_field::kRemark, packed + QuantizationText(tensor));
    graph->Message(graph_field::kInitializer, constant);
  }

  ProtobufWriter Node(const schema::Subgraph& subgraph, const schema::Operator& op) {
    ProtobufWriter node;
    for (const int32_t input : Ints(op.inputs())) node.Text(node_field::kInput, Name(subgraph, input));
    for (const int32_t output : Ints(op.outputs())) node.Text(node_field::kOutput, Name(subgraph, output));
    node.Text(node_field::kName, Text(op.name()));
    const auto* custom = op.options_as_CustomOptions();
    node.Text(node_field::kOpType,
              custom == nullptr ? schema::EnumNameOpCode(op.code()) : Text(custom->name()));
    node.Text(node_field::kDomain, custom == nullptr ? "micrort" : Text(custom->domain()));
    AddOptions(op, &node);
    uint32_t bodies[kMaxBodies] = {};
    const int count = BodiesOf(op, bodies);
    for (int i = 0; i < count; ++i) AddBody(i, bodies[i], &node);
    return node;
  }

  void AddOptions(const schema::Operator& op, ProtobufWriter* node) {
    if (op.options() == nullptr || !has_room_) return;
    const auto* types = schema::OptionsTypeTable();
    const auto* type =
        types->type_refs[types->type_codes[static_cast<size_t>(op.options_type())].sequence_ref]();
    ProtobufWriter attribute;
    attribute.Text(attribute_field::kName, "options");
    attribute.Integer(attribute_field::kType, kAttributeString);
    const std::string fields = FieldsText(op.options(), type);
    if (!Take(fields.size())) return;
    attribute.Text(attribute_field::kString, fields);
    node->Message(node_field::kAttribute, attribute);
  }

  void AddBody(int position, uint32_t index, ProtobufWriter* node) {
    ProtobufWriter attribute;
    attribute.Text(attribute_field::kName, "subgraph" + std::to_string(position));
    attribute.Integer(attribute_field::kType, kAttributeGraph);
    attribute.Message(attribute_field::kGraph, Graph(*model_.subgraphs()->Get(index)));
    node->Message(node_field::kAttribute, attribute);
  }

  static std::string Name(const schema::Subgraph& subgraph, int32_t tensor) {
    return tensor < 0 ? "" : Text(subgraph.tensors()->Get(static_cast<uint32_t>(tensor))->name());
  }

  const schema::Model& model_;
  uint64_t left_;  // bytes of constants and options
  bool has_room_ = true;
};

}  // namespace

Result<std::string> ToOnnx(const Model& model) {
  constexpr uint64_t kMostBytes = 64 << 20, kMostShared = 4;  // of any file, and times its size
  const schema::Model& source = *schema::GetModel(model.file().data());
  ProtobufWriter file, opset;
  opset.Text(1, "micrort");
  opset.Integer(2, kOpsetVersion);
  file.Integer(model_field::kIrVersion, kIrVersion);
  file.Text(model_field::kProducer, Text(source.producer()));
  file.Text(model_field::kProducerVersion, Text(source.producer_version()));
  file.Message(model_field::kOpset, opset);
  for (uint32_t i = 0; i < Count(source.metadata()); ++i) {
    const schema::Metadata& entry = *source.metadata()->Get(i);
    file.Message(model_field::kMetadata, KeyAndValue(Text(entry.key()), Text(entry.value())));
  }
  OnnxWriter writer(source, kMostBytes + kMostShared * model.file_bytes());
  file.Message(model_field::kGraph, writer.Graph(*source.subgraphs()->Get(0)));
  if (writer.has_room()) return file.bytes();
  return MICRORT_ERROR(kInvalidModel, "its tensors and options share what would be far larger as ONNX");
}

}  // namespace micrort
