#include "converter/frontend/tflite/graph_importer.h"

#include <set>
#include <utility>

#include "converter/frontend/common/fetches.h"
#include "converter/frontend/common/input_shapes.h"
#include "converter/frontend/tflite/custom_node.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

std::vector<int32_t> Indices(const flatbuffers::Vector<int32_t>* list) {
  return list == nullptr ? std::vector<int32_t>() : std::vector<int32_t>(list->begin(), list->end());
}

size_t TensorCount(const fb::SubGraph& graph) {
  return graph.tensors() == nullptr ? 0 : graph.tensors()->size();
}

// Floats with one more dimension, of two, to us.
bool IsComplex(const fb::Tensor& tensor) { return tensor.type() == fb::TensorType::Complex64; }

bool IsHandle(const fb::Tensor& tensor) { return tensor.type() == fb::TensorType::Resource; }

}  // namespace

GraphImporter::GraphImporter(const ModelFile& file, EntryPoint entry, const ImportOptions& options,
                             ir::Graph* graph, ImportDiagnostics* diagnostics)
    : file_(file),
      entry_(std::move(entry)),
      index_(entry_.subgraph),
      subgraph_(file.subgraph(index_)),
      options_(options),
      assembler_(graph),
      graph_(*graph),
      diagnostics_(diagnostics),
      values_(TensorCount(subgraph_)) {}

Status GraphImporter::Import() {
  if (subgraph_.name() != nullptr) graph_.name = subgraph_.name()->str();
  MICRORT_RETURN_IF_ERROR(SelectOutputs());
  MICRORT_RETURN_IF_ERROR(AddInputs());
  MICRORT_RETURN_IF_ERROR(DeclareVariables());
  dilated_convs_.Find(file_, subgraph_, outputs_);
  assembler_.StartNodes();
  MICRORT_RETURN_IF_ERROR(ImportOperators());
  MICRORT_RETURN_IF_ERROR(AddOutputs());
  if (diagnostics_->unsupported.empty()) MICRORT_RETURN_IF_ERROR(variables_.AddStates(&assembler_));
  assembler_.Finish();
  return Status();
}

Status GraphImporter::ImportInitial(Variables::Initial* out) {
  variables_.Start(*out, &graph_);
  assembler_.StartNodes();
  MICRORT_RETURN_IF_ERROR(ImportOperators());
  return variables_.TakeInitial(graph_, out);
}

Status GraphImporter::DeclareVariables() {
  VariableUses uses;
  MICRORT_RETURN_IF_ERROR(FindVariableUses(file_, index_, &uses));
  Variables::Initial initial;
  for (const size_t subgraph : uses.initializers) {
    ir::Graph graph;
    GraphImporter importer(file_, EntryPoint{subgraph}, options_, &graph, diagnostics_);
    MICRORT_RETURN_IF_ERROR(importer.ImportInitial(&initial).WithPrefix("CALL_ONCE"));
  }
  return variables_.Declare(uses, initial, &graph_);
}

Status GraphImporter::SelectOutputs() {
  outputs_ = Indices(subgraph_.outputs());
  if (!options_.outputs.empty()) {
    std::set<std::string> names;
    for (size_t i = 0; i < values_.size(); ++i) names.insert(NameOf(TensorAt(static_cast<int32_t>(i))));
    names.erase("");
    MICRORT_RETURN_IF_ERROR(CheckFetches(options_.outputs, names));
    outputs_.clear();
    for (const std::string& wanted : options_.outputs) {
      size_t i = 0;
      while (NameOf(TensorAt(static_cast<int32_t>(i))) != wanted) ++i;
      outputs_.push_back(static_cast<int32_t>(i));
    }
  }
  if (outputs_.empty()) return MICRORT_ERROR(kInvalidModel, "the model has no outputs");
  return Status();
}

std::string GraphImporter::PortName(int32_t index, const std::map<int32_t, std::string>& names) const {
  const auto found = names.find(index);
  return found == names.end() ? NameOf(TensorAt(index)) : found->second;
}

Status GraphImporter::AddInputs() {
  for (const int32_t index : Indices(subgraph_.inputs())) {
    const fb::Tensor& tensor = TensorAt(index);
    if (At(index).is_set())
      return MICRORT_ERROR(kInvalidModel, "input '%s' is listed twice", NameOf(tensor).c_str());
    ir::Value value;
    Status status = ReadInput(tensor, &value);
    value.name = PortName(index, entry_.inputs);
    if (status.ok()) status = SettleInputShape(options_, graph_.inputs.size(), &value);
    if (!status.ok()) return status.WithPrefix("input '%s'", PortName(index, entry_.inputs).c_str());
    if (!HasIntegerKernels(value.dtype)) value.quantization = {};
    At(index).stored = graph_.AddValue(std::move(value));
    graph_.inputs.push_back(At(index).stored);
  }
  return CheckOverrides(graph_, options_);
}

std::vector<bool> GraphImporter::NeededOperators() const {
  std::vector<NodeEdges> edges;
  const auto keys = [](const flatbuffers::Vector<int32_t>* list) {
    std::vector<std::string> out;
    for (const int32_t index : Indices(list)) out.push_back(index < 0 ? "" : std::to_string(index));
    return out;
  };
  // An operator without outputs is there for what it does; one that runs subgraphs may be.
  const std::string effect = "effect";
  for (const fb::Operator* op : *subgraph_.operators()) {
    edges.push_back({keys(op->inputs()), keys(op->outputs())});
    if (edges.back().writes.empty() || RunsSubgraphs(file_.OpName(*op)))
      edges.back().writes.push_back(effect);
  }
  std::vector<std::string> wanted = {effect};
  for (const int32_t index : outputs_) wanted.push_back(std::to_string(index));
  return NeededNodes(edges, wanted);
}

Status GraphImporter::ImportOperators() {
  if (subgraph_.operators() == nullptr) return Status();
  std::vector<bool> is_needed(subgraph_.operators()->size(), true);
  if (!options_.outputs.empty() && parent_ == nullptr) is_needed = NeededOperators();
  for (flatbuffers::uoffset_t i = 0; i < subgraph_.operators()->size(); ++i) {
    if (!is_needed[i]) continue;
    const fb::Operator& op = *subgraph_.operators()->Get(i);
    if (Status s = AddOperator(op); !s.ok()) return s.WithPrefix("%s", Describe(Source(op)).c_str());
  }
  return Status();
}

SourceNode GraphImporter::Source(const fb::Operator& op) const {
  SourceNode source;
  source.op = file_.OpName(op);
  for (const int32_t index : Indices(op.outputs())) {
    if (index >= 0 && source.name.empty()) source.name = NameOf(TensorAt(index));
  }
  if (source.name.empty()) source.name = source.op;
  return source;
}

Status GraphImporter::AddOperator(const fb::Operator& op) {
  const SourceNode source = Source(op);
  bool reachable = true;
  Status status;
  if (ImporterFor(source.op, options_) == nullptr) {
    status = MICRORT_ERROR(kUnsupported, "%s", WhyNoImporter(source.op));
  } else {
    status = PrepareInputs(op, &reachable);
    if (status.ok() && reachable) status = ImportOperator(op, source);
    if (status.ok() && reachable) return Status();
  }
  if (!status.ok() && status.code() != StatusCode::kUnsupported) return status;
  if (!status.ok() && !std::exchange(is_incomplete_, false))
    NoteUnsupported(source, status.message(), diagnostics_);
  for (const int32_t index : Indices(op.outputs())) {
    if (index >= 0) At(index).is_unreachable = true;
  }
  return Status();
}

Status GraphImporter::PrepareInputs(const fb::Operator& op, bool* reachable) {
  for (const int32_t index : Indices(op.inputs())) {
    if (index >= 0) MICRORT_RETURN_IF_ERROR(Prepare(index, reachable));
  }
  return Status();
}

Status GraphImporter::Prepare(int32_t index, bool* reachable) {
  TensorValue& value = At(index);
  *reachable &= !value.is_unreachable;
  const fb::Tensor& tensor = TensorAt(index);
  if (value.outer != ir::kNoValue) {
    const ir::ValueId captured = assembler_.Capture(std::exchange(value.outer, ir::kNoValue));
    (IsQuantizedActivation(tensor) ? value.real : value.stored) = captured;
  }
  if (value.is_set() || value.is_unreachable || IsHandle(tensor) || tensor.is_variable()) return Status();
  return AddConstant(index).WithPrefix("tensor %d ('%s')", index, NameOf(tensor).c_str());
}

// A tensor without data that nothing writes is a constant if it has no elements.
Status GraphImporter::AddConstant(int32_t index) {
  const fb::Tensor& tensor = TensorAt(index);
  bool is_empty = false;
  if (tensor.shape() != nullptr) {
    for (const int32_t dim : *tensor.shape()) is_empty |= dim == 0;
  }
  if (!IsConstant(file_, tensor) && !is_empty) {
    return MICRORT_ERROR(kInvalidModel,
                         "it is read, but no input, constant or output of an earlier operator");
  }
  ir::Value value;
  MICRORT_RETURN_IF_ERROR(ReadConstant(file_, tensor, &value));
  value.in_source = false;
  At(index).stored = graph_.AddValue(std::move(value));
  return Status();
}

// A number in its place, so that the importer can go on until its error is reported.
ir::ValueId GraphImporter::Misused(int32_t index, ir::Builder& builder) {
  misuse_ = MICRORT_ERROR(kInvalidModel, "tensor %d ('%s') is a variable: expected a value", index,
                          NameOf(TensorAt(index)).c_str());
  return builder.Scalar(0);
}

ir::ValueId GraphImporter::RealValue(int32_t index, ir::Builder& builder) {
  TensorValue& value = At(index);
  if (!value.is_set()) return Misused(index, builder);
  if (value.real != ir::kNoValue) return value.real;
  const ir::Value& stored = graph_.value(value.stored);
  const fb::Tensor& tensor = TensorAt(index);
  if (stored.is_constant() && !stored.quantization.empty()) {
    ir::Value real = DequantizedConstant(stored);
    real.name += "/real";
    value.real = graph_.AddValue(std::move(real));
  } else if (!stored.is_constant() && IsQuantizedActivation(tensor)) {
    ir::Quantization quantization;
    (void)ReadQuantization(tensor, &quantization);  // checked when the value was made
    value.real = Dequantized(builder, value.stored, quantization);
  } else {
    value.real = value.stored;
  }
  return value.real;
}

ir::ValueId GraphImporter::StoredValue(int32_t index, ir::Builder& builder) {
  TensorValue& value = At(index);
  if (!value.is_set()) return Misused(index, builder);
  if (value.stored != ir::kNoValue) return value.stored;
  const fb::Tensor& tensor = TensorAt(index);
  ir::Quantization quantization;
  (void)ReadQuantization(tensor, &quantization);  // checked when the value was made
  value.stored = QuantizedTo(builder, value.real, DTypeOf(tensor.type()), quantization);
  return value.stored;
}

Status GraphImporter::CheckInputs(const OpImporter& importer, const fb::Operator& op) const {
  const std::vector<int32_t> inputs = Indices(op.inputs());
  const auto count = static_cast<int>(inputs.size());
  if (count < importer.min_inputs || (importer.max_inputs >= 0 && count > importer.max_inputs)) {
    return MICRORT_ERROR(kInvalidModel, "expected %d to %d inputs, found %d", importer.min_inputs,
                         importer.max_inputs, count);
  }
  for (int i = 0; i < count; ++i) {
    const int32_t index = inputs[static_cast<size_t>(i)];
    if (index < 0 && i < importer.min_inputs)
      return MICRORT_ERROR(kInvalidModel, "input %d is required, but absent", i);
    if (index >= 0 && IsComplex(TensorAt(index)) && !TakesComplexNumbers(importer.op))
      return MICRORT_ERROR(kUnsupported, "input %d has complex numbers", i);
  }
  return Status();
}

Status GraphImporter::ImportOperator(const fb::Operator& op, const SourceNode& source) {
  const OpImporter& importer = *ImporterFor(source.op, options_);
  MICRORT_RETURN_IF_ERROR(CheckInputs(importer, op));
  const ir::ValueId first_new = assembler_.NextValue();
  ir::Builder builder = assembler_.BuilderFor({source.name, source.op, 0}, source.name);
  OpContext c(op, builder, *this);
  const Status imported = importer.import(c);
  MICRORT_RETURN_IF_ERROR(misuse_);
  MICRORT_RETURN_IF_ERROR(builder.status());
  MICRORT_RETURN_IF_ERROR(imported);
  return TakeOutputs(op, c, builder, first_new);
}

Status GraphImporter::TakeOutputs(const fb::Operator& op, const OpContext& c, ir::Builder& builder,
                                  ir::ValueId first_new) {
  const std::vector<int32_t> indices = Indices(op.outputs());
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || IsHandle(TensorAt(indices[i]))) continue;
    if (c.outputs()[i].id == ir::kNoValue)
      return MICRORT_ERROR(kUnsupported, "output %zu is not supported", i);
    const Status status = TakeOutput(indices[i], c.outputs()[i], builder, first_new);
    if (!status.ok()) return status.WithPrefix("output %zu", i);
  }
  return builder.status();
}

Status GraphImporter::TakeOutput(int32_t index, const OpContext::Output& output, ir::Builder& builder,
                                 ir::ValueId first_new) {
  const fb::Tensor& tensor = TensorAt(index);
  TensorValue& value = At(index);
  if (value.is_set() || value.is_unreachable || IsConstant(file_, tensor))
    return MICRORT_ERROR(kInvalidModel, "tensor %d ('%s') is written twice", index, NameOf(tensor).c_str());
  const DType dtype = IsComplex(tensor) ? DType::kFloat32 : DTypeOf(tensor.type());
  if (dtype == DType::kUnknown)
    return MICRORT_ERROR(kUnsupported, "element type %s", TypeName(tensor.type()).c_str());
  const DType given = graph_.value(output.id).dtype;
  ir::ValueId id = output.id;
  if (IsQuantizedActivation(tensor) && !output.is_stored && given == DType::kFloat32) {
    ir::Quantization quantization;
    MICRORT_RETURN_IF_ERROR(ReadQuantization(tensor, &quantization));
    if (quantization.scales.size() != 1)
      return MICRORT_ERROR(kUnsupported, "computed values with several scales");
    if (HasIntegerKernels(dtype)) {
      id = value.stored = QuantizedTo(builder, id, dtype, quantization);
    } else {
      id = value.real = Saturated(builder, id, dtype, quantization);
    }
  } else {
    id = value.stored = given == dtype || given == DType::kUnknown ? id : builder.Cast(id, dtype);
  }
  MICRORT_RETURN_IF_ERROR(builder.status());
  const std::string name = NameOf(tensor);
  if (!name.empty()) assembler_.NameResult(name, id, first_new);
  return Status();
}

Status GraphImporter::AddOutputs() {
  std::set<std::string> names;
  for (const int32_t index : outputs_) {
    const fb::Tensor& tensor = TensorAt(index);
    if (At(index).is_unreachable) continue;
    if (IsHandle(tensor) || tensor.is_variable()) {
      return MICRORT_ERROR(kUnsupported, "output '%s' is a variable", NameOf(tensor).c_str());
    }
    if (IsComplex(tensor))
      return MICRORT_ERROR(kUnsupported, "output '%s' has complex numbers", NameOf(tensor).c_str());
    bool reachable = true;
    std::string name = PortName(index, entry_.outputs);
    if (name.empty()) name = "output_" + std::to_string(index);
    MICRORT_RETURN_IF_ERROR(Prepare(index, &reachable));
    if (!names.insert(name).second)
      return MICRORT_ERROR(kInvalidModel, "output '%s' is listed twice", name.c_str());
    ir::Builder builder = assembler_.BuilderFor({name, "output", 0}, name);
    const ir::ValueId stored = StoredValue(index, builder);
    MICRORT_RETURN_IF_ERROR(builder.status());
    ir::ValueId output = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(assembler_.AddOutput(name, stored, &output));
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
