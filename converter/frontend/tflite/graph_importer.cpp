#include "converter/frontend/tflite/graph_importer.h"

#include <set>
#include <utility>

#include "converter/frontend/common/fetches.h"
#include "converter/frontend/common/renamed.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"

namespace micrort::frontend::tflite {

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
  if (outputs_.empty()) return Invalid("the model has no outputs");
  return Status();
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
  if (status.ok()) status = inputs->Add(std::move(value), &input.stored);
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
    ir::ValueId output = ir::kNoValue;
    MICRORT_RETURN_IF_ERROR(AddOutput(port.tensor, name, &output));
    WarnIfRenamed("output", port.name, graph_.value(output), diagnostics_);
  }
  return Status();
}

Status GraphImporter::AddOutput(int32_t index, const std::string& name, ir::ValueId* out) {
  const fb::Tensor& tensor = tensors_.Stated(index);
  if (IsHandle(tensor) || tensor.is_variable())
    return Unsupported("output '{}' is a variable", NameOf(tensor));
  if (IsComplex(tensor)) return Unsupported("output '{}' has complex numbers", NameOf(tensor));
  bool reachable = true;
  MICRORT_RETURN_IF_ERROR(tensors_.Prepare(index, &reachable));
  ir::Builder builder = subgraph_.assembler().BuilderFor({name, "output", 0}, name);
  const ir::ValueId stored = tensors_.Stored(index, builder);
  MICRORT_RETURN_IF_ERROR(builder.status());
  return subgraph_.assembler().AddOutput(name, stored, out);
}

void GraphImporter::Warn(std::string text) { diagnostics_->warnings.push_back(std::move(text)); }

}  // namespace micrort::frontend::tflite
