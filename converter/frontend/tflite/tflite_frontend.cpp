#include "converter/frontend/tflite/tflite_frontend.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/common/fetches.h"
#include "converter/frontend/common/model_inputs.h"
#include "converter/frontend/common/named_values.h"
#include "converter/frontend/common/offer.h"
#include "converter/frontend/common/text.h"
#include "converter/frontend/frontend.h"
#include "converter/frontend/tflite/model_file.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/subgraph_importer.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

using TensorMaps = flatbuffers::Vector<flatbuffers::Offset<fb::TensorMap>>;

// A subgraph, its inputs and its outputs, with the names that a signature gives them.

// An input or output of the model. Several may be one tensor.
struct Port {
  int32_t tensor = 0;
  std::string name = {};
};

struct EntryPoint {
  size_t subgraph = 0;
  std::vector<Port> inputs = {}, outputs = {};
};

std::string NameOfSignature(const fb::SignatureDef& signature) {
  return signature.signature_key() == nullptr ? "" : signature.signature_key()->str();
}

// The names that a signature has for each tensor, in its order.
std::map<int32_t, std::vector<std::string>> NamesByTensor(const TensorMaps* named) {
  std::map<int32_t, std::vector<std::string>> names;
  if (named == nullptr) return names;
  for (const fb::TensorMap* entry : *named) {
    if (entry->name() != nullptr)
      names[static_cast<int32_t>(entry->tensor_index())].push_back(entry->name()->str());
  }
  return names;
}

// In the subgraph's order, with the signature's names; tensors without any keep their own. Names beyond that,
// for a tensor that the subgraph lists less often, follow in the signature's order.
std::vector<Port> PortsOf(const fb::SubGraph& graph, const flatbuffers::Vector<int32_t>* list,
                          const TensorMaps* named) {
  const std::map<int32_t, std::vector<std::string>> names = NamesByTensor(named);
  std::map<int32_t, size_t> used;
  std::vector<Port> ports;
  for (const int32_t index : Indices(list)) {
    const auto found = names.find(index);
    if (found == names.end()) {
      ports.push_back({index, NameOf(*graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index)))});
    } else if (used[index] < found->second.size()) {
      ports.push_back({index, found->second[used[index]++]});
    }
  }
  std::map<int32_t, size_t> seen;
  for (flatbuffers::uoffset_t i = 0; named != nullptr && i < named->size(); ++i) {
    const fb::TensorMap& entry = *named->Get(i);
    const auto index = static_cast<int32_t>(entry.tensor_index());
    if (entry.name() != nullptr && seen[index]++ >= used[index])
      ports.push_back({index, entry.name()->str()});
  }
  return ports;
}

// Entries of a signature whose tensors are no inputs of the subgraph have no effect.
std::vector<Port> InputsOf(const fb::SubGraph& graph, const TensorMaps* named) {
  const std::vector<int32_t> inputs = Indices(graph.inputs());
  std::vector<Port> ports = PortsOf(graph, graph.inputs(), named);
  const auto is_none = [&](const Port& port) {
    return std::find(inputs.begin(), inputs.end(), port.tensor) == inputs.end();
  };
  ports.erase(std::remove_if(ports.begin(), ports.end(), is_none), ports.end());
  return ports;
}

EntryPoint Of(const ModelFile& file, const fb::SignatureDef& signature) {
  const fb::SubGraph& graph = file.subgraph(signature.subgraph_index());
  return {signature.subgraph_index(), InputsOf(graph, signature.inputs()),
          PortsOf(graph, graph.outputs(), signature.outputs())};
}

EntryPoint FirstSubgraph(const ModelFile& file) {
  const fb::SubGraph& graph = file.subgraph(0);
  return {0, InputsOf(graph, nullptr), PortsOf(graph, graph.outputs(), nullptr)};
}

std::vector<OfferedTensor> Offered(const fb::SubGraph& graph, const std::vector<Port>& ports) {
  std::vector<OfferedTensor> tensors;
  for (const Port& port : ports) {
    const fb::Tensor& tensor = *graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(port.tensor));
    OfferedTensor out = {port.name, DTypeOf(tensor.type()), true, {}};
    const auto* shape = tensor.shape_signature() == nullptr || tensor.shape_signature()->size() == 0
                            ? tensor.shape()
                            : tensor.shape_signature();
    if (shape != nullptr) out.shape.assign(shape->begin(), shape->end());
    tensors.push_back(std::move(out));
  }
  return tensors;
}

void Add(const ModelFile& file, const std::string& name, const EntryPoint& entry, std::vector<Offer>* out) {
  const fb::SubGraph& graph = file.subgraph(entry.subgraph);
  out->push_back({name, "", Offered(graph, entry.inputs), Offered(graph, entry.outputs)});
}

// The signature of this name; without a name, the first subgraph as it is. kInvalidArgument if there is none.
Result<EntryPoint> FindEntryPoint(const ModelFile& file, const std::string& signature) {
  if (signature.empty()) {
    return FirstSubgraph(file);
  }
  std::set<std::string> offered;
  if (file.model().signature_defs() != nullptr) {
    for (const fb::SignatureDef* candidate : *file.model().signature_defs()) {
      offered.insert(NameOfSignature(*candidate));
      if (NameOfSignature(*candidate) != signature) continue;
      return Of(file, *candidate);
    }
  }
  if (offered.empty())
    return MICRORT_ERROR(kInvalidArgument, "--signature: the model has none; leave it out");
  return MICRORT_ERROR(kInvalidArgument, "--signature: no signature '%s'; there are: %s", signature.c_str(),
                       QuotedNames(offered).c_str());
}

void ListEntryPoints(const ModelFile& file, std::vector<Offer>* out) {
  const auto* signatures = file.model().signature_defs();
  if (signatures == nullptr || signatures->size() == 0) return Add(file, "", FirstSubgraph(file), out);
  for (const fb::SignatureDef* signature : *signatures)
    Add(file, NameOfSignature(*signature), Of(file, *signature), out);
}

// The subgraph that a model runs, with its inputs, outputs and variables, as the graph of a module.

class GraphImporter {
 public:
  GraphImporter(const ModelFile& file, EntryPoint entry, const ImportOptions& options, ir::Graph* graph,
                ImportDiagnostics* diagnostics);

  Status Import();

 private:
  Status SelectOutputs();
  Port OutputPort(int32_t index) const;
  std::vector<int32_t> OutputTensors() const;
  Status AddInputs();
  Status AddInput(const Port& port, ModelInputs* inputs);
  Status DeclareVariables();
  Status AddOutputs();
  Result<ir::ValueId> AddOutput(int32_t index, const std::string& name);
  void Warn(std::string text);

  const ModelFile& file_;
  const EntryPoint entry_;
  const ImportOptions& options_;
  ir::Graph& graph_;
  ImportDiagnostics* const diagnostics_;
  SubgraphImporter subgraph_;
  TensorTable& tensors_;       // the subgraph's
  std::vector<Port> outputs_;  // the model's, or those that the user wants
};

GraphImporter::GraphImporter(const ModelFile& file, EntryPoint entry, const ImportOptions& options,
                             ir::Graph* graph, ImportDiagnostics* diagnostics)
    : file_(file),
      entry_(std::move(entry)),
      options_(options),
      graph_(*graph),
      diagnostics_(diagnostics),
      subgraph_(file, entry_.subgraph, options, graph, diagnostics),
      tensors_(subgraph_.tensors()) {}

Status GraphImporter::Import() {
  if (subgraph_.stated().name() != nullptr) graph_.name = subgraph_.stated().name()->str();
  MICRORT_RETURN_IF_ERROR(SelectOutputs());
  MICRORT_RETURN_IF_ERROR(AddInputs());
  subgraph_.assembler().StartStates();
  MICRORT_RETURN_IF_ERROR(DeclareVariables());
  subgraph_.assembler().StartNodes();
  MICRORT_RETURN_IF_ERROR(subgraph_.ImportOperators(OutputTensors(), !options_.outputs.empty()));
  MICRORT_RETURN_IF_ERROR(AddOutputs());
  if (diagnostics_->unsupported.empty())
    MICRORT_RETURN_IF_ERROR(subgraph_.variables().AddStates(&subgraph_.assembler()));
  subgraph_.assembler().Finish();
  return Status();
}

// Subgraphs that give variables their first values (CALL_ONCE) are imported into graphs that are dropped.
Status GraphImporter::DeclareVariables() {
  VariableUses uses;
  MICRORT_RETURN_IF_ERROR(FindVariableUses(file_, entry_.subgraph, &uses));
  Variables::Initial initial;
  for (const size_t subgraph : uses.initializers) {
    ir::Graph graph;
    SubgraphImporter importer(file_, subgraph, options_, &graph, diagnostics_);
    importer.variables().Start(initial, &graph);
    importer.assembler().StartNodes();
    MICRORT_RETURN_IF_ERROR(importer.ImportOperators({}, false).WithPrefix("CALL_ONCE"));
    MICRORT_RETURN_IF_ERROR(importer.variables().TakeInitial(graph, &initial).WithPrefix("CALL_ONCE"));
  }
  const Status declared = subgraph_.variables().Declare(uses, initial, &graph_);
  // Where a variable lacks its first value, an operator that cannot be converted may be the reason.
  return declared.ok() || diagnostics_->unsupported.empty() ? declared : UnsupportedNodes(*diagnostics_);
}

Status GraphImporter::SelectOutputs() {
  outputs_ = entry_.outputs;
  if (!options_.outputs.empty()) {
    std::map<std::string, int32_t> by_name;
    for (size_t i = 0; i < tensors_.size(); ++i) {
      const auto index = static_cast<int32_t>(i);
      by_name.emplace(NameOf(tensors_.Stated(index)), index);
    }
    by_name.erase("");
    std::set<std::string> names;
    for (const auto& [name, index] : by_name) names.insert(name);
    MICRORT_RETURN_IF_ERROR(CheckFetches(options_.outputs, names));
    outputs_.clear();
    for (const std::string& wanted : options_.outputs) outputs_.push_back(OutputPort(by_name.at(wanted)));
  }
  return outputs_.empty() ? Invalid("the model has no outputs") : Status();
}

// Named as the model's output that it is, or as the tensor.
Port GraphImporter::OutputPort(int32_t index) const {
  for (const Port& port : entry_.outputs) {
    if (port.tensor == index) return port;
  }
  return {index, NameOf(tensors_.Stated(index))};
}

std::vector<int32_t> GraphImporter::OutputTensors() const {
  std::vector<int32_t> tensors;
  for (const Port& port : outputs_) tensors.push_back(port.tensor);
  return tensors;
}

Status GraphImporter::AddInputs() {
  std::set<int32_t> listed;
  for (const int32_t index : Indices(subgraph_.stated().inputs())) {
    if (!listed.insert(index).second)
      return Invalid("input '{}' is listed twice", NameOf(tensors_.Stated(index)));
  }
  ModelInputs inputs(options_, &graph_, diagnostics_);
  for (const Port& port : entry_.inputs) MICRORT_RETURN_IF_ERROR(AddInput(port, &inputs));
  return inputs.CheckOptions();
}

// A tensor that a signature names several times is what is given last, as where names are set one by one.
Status GraphImporter::AddInput(const Port& port, ModelInputs* inputs) {
  TensorValue& input = tensors_.At(port.tensor);
  if (input.is_set()) {
    Warn("input '" + graph_.value(input.stored).name + "' is not read: '" + port.name +
         "' is the same tensor");
  }
  ir::Value value;
  Status status = ReadInput(tensors_.Stated(port.tensor), &value);
  value.name = port.name;
  if (status.ok()) status = Take(inputs->Add(std::move(value)), &input.stored);
  if (!status.ok()) return status.WithPrefix("input '%s'", port.name.c_str());
  ir::Value& added = graph_.value(input.stored);
  const bool keeps = HasIntegerKernels(added.dtype) || added.dtype == DType::kInt16;
  if (!added.is_constant() && !keeps) added.quantization = {};
  WarnIfRenamed("input", port.name, graph_.value(input.stored), diagnostics_);
  return Status();
}

Status GraphImporter::AddOutputs() {
  std::set<std::string> taken;
  for (Port& port : outputs_) {
    if (port.name.empty()) port.name = "output_" + std::to_string(port.tensor);
    taken.insert(port.name);
  }
  std::set<std::string> given;
  for (const ir::ValueId id : graph_.inputs) given.insert(graph_.value(id).name);
  for (const Port& port : outputs_) {
    if (tensors_.At(port.tensor).is_unreachable) continue;
    std::string name = port.name;
    for (int i = 1; !given.insert(name).second; ++i) {
      std::string other = port.name + "_" + std::to_string(i);
      if (taken.insert(other).second) name = std::move(other);
    }
    MICRORT_ASSIGN_OR_RETURN(ir::ValueId output, AddOutput(port.tensor, name));
    WarnIfRenamed("output", port.name, graph_.value(output), diagnostics_);
  }
  return Status();
}

Result<ir::ValueId> GraphImporter::AddOutput(int32_t index, const std::string& name) {
  const fb::Tensor& tensor = tensors_.Stated(index);
  if (IsHandle(tensor) || tensor.is_variable())
    return Unsupported("output '{}' is a variable", NameOf(tensor));
  if (IsComplex(tensor)) return Unsupported("output '{}' has complex numbers", NameOf(tensor));
  bool reachable = true;
  MICRORT_RETURN_IF_ERROR(tensors_.Prepare(index, &reachable));
  ir::Builder builder = subgraph_.assembler().BuilderFor({name, "output", 0}, name);
  const ir::ValueId stored = tensors_.Stored(index, builder);
  MICRORT_RETURN_IF_ERROR(builder.status());
  return subgraph_.assembler().AddOutput(name, stored);
}

void GraphImporter::Warn(std::string text) { diagnostics_->warnings.push_back(std::move(text)); }

// Entries that are not text are left out; text is padded with zeros.
void AddText(const std::string& key, std::string value, ir::Module* out) {
  constexpr size_t kMaxText = 4096;
  while (!value.empty() && value.back() == '\0') value.pop_back();
  if (!value.empty() && value.size() <= kMaxText && IsText(key) && IsText(value))
    out->metadata.emplace_back(key, value);
}

void ReadMetadata(const ModelFile& file, ir::Module* out) {
  if (file.model().description() != nullptr)
    AddText("tflite.description", file.model().description()->str(), out);
  if (file.model().metadata() == nullptr) return;
  for (const fb::Metadata* entry : *file.model().metadata()) {
    const Span<const uint8_t> bytes = file.BufferBytes(entry->buffer());
    if (entry->name() == nullptr) continue;
    AddText("tflite." + entry->name()->str(), std::string(bytes.begin(), bytes.end()), out);
  }
}

}  // namespace

Status ImportTflite(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                    ImportDiagnostics* diagnostics) {
  ModelFile file;
  MICRORT_RETURN_IF_ERROR(ModelFile::Open(bytes, &file));
  MICRORT_ASSIGN_OR_RETURN(EntryPoint entry, FindEntryPoint(file, options.signature));
  ReadMetadata(file, out);
  out->graphs.push_back(std::make_unique<ir::Graph>());
  GraphImporter importer(file, entry, options, out->graphs.back().get(), diagnostics);
  MICRORT_RETURN_IF_ERROR(importer.Import());
  return UnsupportedNodes(*diagnostics);
}

Status ListTflite(Span<const uint8_t> bytes, const ImportOptions& /*options*/, std::vector<Offer>* out) {
  ModelFile file;
  MICRORT_RETURN_IF_ERROR(ModelFile::Open(bytes, &file));
  ListEntryPoints(file, out);
  return Status();
}

}  // namespace micrort::frontend::tflite
