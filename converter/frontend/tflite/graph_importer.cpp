#include "converter/frontend/tflite/graph_importer.h"

#include <set>
#include <utility>

#include "converter/frontend/common/fetches.h"
#include "converter/frontend/common/model_inputs.h"
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
  MICRORT_RETURN_IF_ERROR(DeclareVariables());
  subgraph_.assembler().StartNodes();
  MICRORT_RETURN_IF_ERROR(subgraph_.ImportOperators(outputs_, !options_.outputs.empty()));
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
  outputs_ = Indices(subgraph_.stated().outputs());
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
    for (const std::string& wanted : options_.outputs) outputs_.push_back(by_name.at(wanted));
  }
  if (outputs_.empty()) return MICRORT_ERROR(kInvalidModel, "the model has no outputs");
  return Status();
}

std::string GraphImporter::PortName(int32_t index, const std::map<int32_t, std::string>& names) const {
  const auto found = names.find(index);
  return found == names.end() ? NameOf(tensors_.Stated(index)) : found->second;
}

Status GraphImporter::AddInputs() {
  ModelInputs inputs(options_, &graph_, diagnostics_);
  for (const int32_t index : Indices(subgraph_.stated().inputs())) {
    const fb::Tensor& tensor = tensors_.Stated(index);
    TensorValue& input = tensors_.At(index);
    if (input.is_set())
      return MICRORT_ERROR(kInvalidModel, "input '%s' is listed twice", NameOf(tensor).c_str());
    ir::Value value;
    Status status = ReadInput(tensor, &value);
    value.name = PortName(index, entry_.inputs);
    if (status.ok()) status = inputs.Add(std::move(value), &input.stored);
    if (!status.ok()) return status.WithPrefix("input '%s'", PortName(index, entry_.inputs).c_str());
    ir::Value& added = graph_.value(input.stored);
    if (!added.is_constant() && !HasIntegerKernels(added.dtype)) added.quantization = {};
  }
  return inputs.CheckOptions();
}

Status GraphImporter::AddOutputs() {
  std::set<std::string> names;
  for (const int32_t index : outputs_) {
    if (tensors_.At(index).is_unreachable) continue;
    std::string name = PortName(index, entry_.outputs);
    if (name.empty()) name = "output_" + std::to_string(index);
    if (!names.insert(name).second)
      return MICRORT_ERROR(kInvalidModel, "output '%s' is listed twice", name.c_str());
    MICRORT_RETURN_IF_ERROR(AddOutput(index, name));
  }
  return Status();
}

Status GraphImporter::AddOutput(int32_t index, const std::string& name) {
  const fb::Tensor& tensor = tensors_.Stated(index);
  if (IsHandle(tensor) || tensor.is_variable())
    return MICRORT_ERROR(kUnsupported, "output '%s' is a variable", NameOf(tensor).c_str());
  if (IsComplex(tensor))
    return MICRORT_ERROR(kUnsupported, "output '%s' has complex numbers", NameOf(tensor).c_str());
  bool reachable = true;
  MICRORT_RETURN_IF_ERROR(tensors_.Prepare(index, &reachable));
  ir::Builder builder = subgraph_.assembler().BuilderFor({name, "output", 0}, name);
  const ir::ValueId stored = tensors_.Stored(index, builder);
  MICRORT_RETURN_IF_ERROR(builder.status());
  ir::ValueId output = ir::kNoValue;
  return subgraph_.assembler().AddOutput(name, stored, &output);
}

}  // namespace micrort::frontend::tflite
