#include "converter/frontend/onnx/graph_importer.h"

#include <onnx/onnx_pb.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/model_inputs.h"
#include "converter/frontend/common/named_values.h"
#include "converter/frontend/onnx/node_order.h"
#include "converter/frontend/onnx/ops/quantization.h"
#include "converter/frontend/onnx/tensor_reader.h"
#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

namespace {

// Declarations of a graph about its inputs and outputs.

void ReadDeclaredShape(const ::onnx::TensorShapeProto& shape, ir::Value* out) {
  for (const auto& dim : shape.dim()) {
    const bool fixed = dim.has_dim_value() && dim.dim_value() >= 0;
    out->shape.push_back(fixed ? dim.dim_value() : ir::kDynamic);
    out->dim_names.push_back(fixed ? "" : dim.dim_param());
  }
  out->has_shape = true;
}

// Name, type and declared shape of an input.
Status ReadInput(const ::onnx::ValueInfoProto& info, ir::Value* out) {
  if (!info.type().has_tensor_type()) return Unsupported("it is not a tensor");
  const auto& type = info.type().tensor_type();
  out->name = info.name();
  out->in_source = true;
  out->dtype = DTypeOfOnnx(type.elem_type());
  if (out->dtype == DType::kUnknown)
    return Unsupported(
        "it is of type {}; begin with what is computed from it (--feeds), or end before it is needed "
        "(--fetches)",
        OnnxTypeName(type.elem_type()));
  if (type.has_shape()) ReadDeclaredShape(type.shape(), out);
  return Status();
}

// Gives dynamic dimensions that have no name the one that the graph declares.
void NameDimensions(const ::onnx::ValueInfoProto& info, ir::Value* value) {
  const auto& shape = info.type().tensor_type().shape();
  if (shape.dim_size() != value->rank() || value->is_static()) return;
  value->dim_names.resize(value->shape.size());
  for (int i = 0; i < shape.dim_size(); ++i) {
    const auto k = static_cast<size_t>(i);
    if (value->shape[k] == ir::kDynamic && value->dim_names[k].empty())
      value->dim_names[k] = shape.dim(i).dim_param();
  }
}

// The first name that a node writes; every node that counts has one.
std::string FirstOutput(const ::onnx::NodeProto& node) {
  for (const std::string& name : node.output()) {
    if (!name.empty()) return name;
  }
  return "";
}

std::string NameOf(const ::onnx::NodeProto& node) {
  return node.name().empty() ? FirstOutput(node) : node.name();
}

Status CheckInputs(const OpImporter& importer, const NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(importer.CheckCount(c.input_count()));
  for (int i = 0; i < importer.min_inputs; ++i) {
    if (!c.has_input(static_cast<size_t>(i))) return Invalid("input {} is required, but absent", i);
  }
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (!IsSequence(c.input(i)) || TakesSequence(importer.op, i)) continue;
    if (std::string(importer.op) == "Loop")
      return Unsupported("input {}, which iterations hand on, is a sequence or an optional", i);
    return Invalid("input {} is a sequence or an optional", i);
  }
  return Status();
}

Status RunImporter(const ::onnx::NodeProto& node, const OpImporter& importer, NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckInputs(importer, c));
  // Up to opset 5 it tells who may overwrite an input; some writers kept it longer.
  c.Ignore({"consumed_inputs"});
  const Status imported = importer.import(c);
  MICRORT_RETURN_IF_ERROR(c.attribute_status());
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_RETURN_IF_ERROR(imported);
  if (c.UnreadAttribute() != nullptr) return Unsupported("attribute '{}' is not known", c.UnreadAttribute());
  for (int i = 0; i < node.output_size(); ++i) {
    const auto k = static_cast<size_t>(i);
    if (c.wants_output(k) && c.outputs()[k] == ir::kNoValue)
      return Unsupported("output {} is not supported", i);
  }
  return Status();
}

// To most of ONNX's operators the integers that QuantizeLinear gives are bare numbers.
std::vector<ir::ValueId> WithoutQuantization(const ::onnx::NodeProto& node, ir::Builder& builder,
                                             std::vector<ir::ValueId> inputs) {
  if (UnderstandsQuantization(QualifiedOp(node.domain(), node.op_type()))) return inputs;
  for (ir::ValueId& id : inputs) {
    if (id < 0 || builder.graph().value(id).quantization.empty()) continue;
    id = builder.Cast(id, builder.graph().value(id).dtype);
  }
  return inputs;
}

// The names of all values that nodes, also those in bodies, or outputs of the graph read.
std::set<std::string> ReadNames(const ::onnx::GraphProto& graph) {
  std::set<std::string> names;
  std::vector<const ::onnx::GraphProto*> graphs = {&graph};
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const auto& output : graphs[i]->output()) names.insert(output.name());
    for (const auto& node : graphs[i]->node()) {
      names.insert(node.input().begin(), node.input().end());
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) graphs.push_back(&attribute.g());
      }
    }
  }
  return names;
}

// An input of a type that nothing computes with is an error where something reads it.
// Up to ir_version 3, initializers are listed among the inputs; later such a listing means a default, which
// we keep unless the user gives another value.
Status AddInput(const ::onnx::ValueInfoProto& info, const std::set<std::string>& read, const ir::Graph& graph,
                ModelInputs* inputs, NamedValues* values) {
  ir::Value value;
  ir::ValueId id = values->Find(info.name());
  if (id != ir::kNoValue && graph.value(id).is_constant()) {
    const bool is_read = ReadInput(info, &value).ok();
    if (is_read) MICRORT_RETURN_IF_ERROR(Take(inputs->AddOptional(std::move(value)), &id));
    if (is_read && id != ir::kNoValue) values->Assign(info.name(), id);
    return Status();
  }
  if (Status s = ReadInput(info, &value); !s.ok()) {
    if (read.count(info.name()) != 0) return s;
    inputs->PassOver(info.name());
    return Status();
  }
  MICRORT_ASSIGN_OR_RETURN(id, inputs->Add(std::move(value)));
  return values->Define(info.name(), id);
}

// Large weights exist once at a time.
void Release(::onnx::TensorProto* proto) {
  if (proto->has_raw_data()) std::string().swap(*proto->mutable_raw_data());
}

}  // namespace

GraphImporter::GraphImporter(OnnxModel* model, const ImportOptions& options, ir::Graph* graph,
                             ImportDiagnostics* diagnostics)
    : model_(*model),
      consumed_(model->proto.mutable_graph()),
      proto_(model->proto.graph()),
      options_(options),
      assembler_(graph),
      graph_(*graph),
      diagnostics_(diagnostics) {}

Status GraphImporter::Import() {
  graph_.name = proto_.name();
  MICRORT_RETURN_IF_ERROR(AddInitializers());
  MICRORT_RETURN_IF_ERROR(AddInputs());
  assembler_.StartNodes();
  MICRORT_RETURN_IF_ERROR(ImportNodes());
  MICRORT_RETURN_IF_ERROR(AddOutputs());
  assembler_.Finish();
  return Status();
}

Status GraphImporter::ImportNodes() {
  for (const auto& node : proto_.node()) {
    if (Status s = AddNode(node); !s.ok()) return s.WithPrefix("%s", Describe(Source(node)).c_str());
  }
  return Status();
}

Status GraphImporter::AddInitializers() {
  for (int i = 0; i < proto_.initializer_size(); ++i) {
    const auto& proto = proto_.initializer(i);
    OnnxTensor tensor;
    MICRORT_RETURN_IF_ERROR(ReadTensor(proto, &tensor));
    MICRORT_RETURN_IF_ERROR(AddInitializer(proto.name(), std::move(tensor)));
    if (consumed_ != nullptr) Release(consumed_->mutable_initializer(i));
  }
  for (const auto& proto : proto_.sparse_initializer()) MICRORT_RETURN_IF_ERROR(CountDense(proto));
  for (const auto& proto : proto_.sparse_initializer()) {
    OnnxTensor tensor;
    MICRORT_RETURN_IF_ERROR(ReadSparseTensor(proto, &tensor));
    MICRORT_RETURN_IF_ERROR(AddInitializer(proto.values().name(), std::move(tensor)));
  }
  return Status();
}

// A few bytes of a file stand for as many as kMaxDenseBytes.
Status GraphImporter::CountDense(const ::onnx::SparseTensorProto& proto) {
  uint64_t bytes = 0;
  MICRORT_RETURN_IF_ERROR(DenseBytesOf(proto, &bytes));
  imported_->dense_bytes += bytes;
  if (imported_->dense_bytes <= kMaxAllDenseBytes) return Status();
  return Unsupported("sparse tensors of over {} bytes in all", kMaxAllDenseBytes);
}

Status GraphImporter::AddInitializer(const std::string& name, OnnxTensor tensor) {
  const ir::ValueId id =
      graph_.AddConstant(name, tensor.dtype, std::move(tensor.shape), std::move(tensor.data));
  graph_.value(id).is_four_bit = tensor.is_four_bit;
  return values_.Define(name, id);
}

Status GraphImporter::AddInputs() {
  ModelInputs inputs(options_, &graph_, diagnostics_);
  const std::set<std::string> read = ReadNames(proto_);
  for (const auto& info : proto_.input()) {
    if (Status s = AddInput(info, read, graph_, &inputs, &values_); !s.ok())
      return s.WithPrefix("input '%s'", info.name().c_str());
  }
  return inputs.CheckOptions();
}

Status GraphImporter::AddNode(const ::onnx::NodeProto& node) {
  std::vector<ir::ValueId> inputs;
  bool reachable = true;
  MICRORT_RETURN_IF_ERROR(FindInputs(node, &inputs, &reachable));
  Status status;
  if (FindImporter(node.domain(), node.op_type()) == nullptr && !IsCustom(node)) {
    status = Unsupported(WhyNoImporter(node.domain(), node.op_type()));
  } else if (FirstOutput(node).empty()) {
    return Invalid("the node has no outputs");
  } else if (model_.OpsetOf(node) == 0) {
    return Invalid("the model does not import the operator's domain '{}'", node.domain());
  } else if (reachable) {
    status = ImportNode(node, inputs);
    if (status.ok()) return Status();
    misfits_ = ir::MaySuitOtherSizes(status);
  }
  if (!status.ok() && status.code() != StatusCode::kUnsupported) return status;
  if (!status.ok() && !std::exchange(is_incomplete_, false))
    MICRORT_RETURN_IF_ERROR(NoteUnsupported(Source(node), status.message(), diagnostics_));
  for (const std::string& name : node.output()) {
    if (!name.empty()) values_.MarkUnreachable(name);
  }
  return Status();
}

Status GraphImporter::FindInputs(const ::onnx::NodeProto& node, std::vector<ir::ValueId>* inputs,
                                 bool* reachable) {
  for (const std::string& name : node.input()) {
    inputs->push_back(ir::kNoValue);
    if (name.empty()) continue;
    bool found = true;
    MICRORT_RETURN_IF_ERROR(Lookup(name, &found, &inputs->back()));
    *reachable &= found;
    if (found && inputs->back() == ir::kNoValue) return Invalid(WhyUndefined(proto_, node, name));
  }
  while (!inputs->empty() && inputs->back() == ir::kNoValue && *reachable) inputs->pop_back();
  return Status();
}

Status GraphImporter::ImportNode(const ::onnx::NodeProto& node, const std::vector<ir::ValueId>& inputs) {
  const SourceNode source = Source(node);
  const ir::ValueId first_new = assembler_.NextValue();
  ir::Builder builder = assembler_.BuilderFor({source.name, source.op, source.version}, FirstOutput(node));
  NodeContext c(node, source.version, builder, this, *sequences_, WithoutQuantization(node, builder, inputs));
  c.keeps_caches = options_.keeps_caches && parent_ == nullptr;  // states are of the model, not of bodies
  const OpImporter* importer = FindImporter(node.domain(), node.op_type());
  MICRORT_RETURN_IF_ERROR(importer == nullptr ? ImportCustom(node, c) : RunImporter(node, *importer, c));
  for (const std::string& warning : c.warnings)
    diagnostics_->warnings.push_back(Describe(source) + ": " + warning);
  return NameOutputs(node, c, first_new);
}

bool GraphImporter::IsCustom(const ::onnx::NodeProto& node) const {
  return FindImporter(node.domain(), node.op_type()) == nullptr &&
         options_.custom_domains.count(node.domain()) != 0;
}

Status GraphImporter::ImportCustom(const ::onnx::NodeProto& node, NodeContext& c) {
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (IsSequence(c.input(i)))
      return Unsupported("input {} of a custom operator is a sequence or an optional", i);
  }
  if (stated_types_ == nullptr) stated_types_ = std::make_unique<StatedTypes>(proto_);
  schema::CustomOptionsT options;
  MICRORT_RETURN_IF_ERROR(CustomOptionsOf(node, *stated_types_, &options));
  return c.Return(c.build.AddMany(std::move(options), c.inputs(), c.output_count()));
}

Status GraphImporter::NameOutputs(const ::onnx::NodeProto& node, const NodeContext& c,
                                  ir::ValueId first_new) {
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    const ir::ValueId id = c.outputs()[static_cast<size_t>(i)];
    assembler_.NameResult(node.output(i), id, first_new);
    MICRORT_RETURN_IF_ERROR(values_.Define(node.output(i), id));
  }
  return Status();
}

Status GraphImporter::AddOutputs() {
  std::set<std::string> names;
  for (const auto& info : proto_.output()) {
    // Only those of the model are found by name.
    if (parent_ == nullptr && !names.insert(info.name()).second)
      return Invalid("output '{}' is listed twice", info.name());
    bool reachable = true;
    ir::ValueId id = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(Lookup(info.name(), &reachable, &id));
    is_incomplete_ |= !reachable;
    if (!reachable) continue;
    if (id == ir::kNoValue) return Invalid("nothing computes the output '{}'", info.name());
    if (IsSequence(id)) return Unsupported("output '{}' is a sequence or an optional", info.name());
    MICRORT_ASSIGN_OR_RETURN(ir::ValueId output, assembler_.AddOutput(info.name(), id));
    NameDimensions(info, &graph_.value(output));
    if (parent_ == nullptr) WarnIfRenamed("output", info.name(), graph_.value(output), diagnostics_);
  }
  return Status();
}

SourceNode GraphImporter::Source(const ::onnx::NodeProto& node) const {
  return {NameOf(node), QualifiedOp(node.domain(), node.op_type()), model_.OpsetOf(node)};
}

}  // namespace micrort::frontend::onnx
