#include "converter/frontend/tflite/variables.h"

#include <set>
#include <utility>

#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/ir/keep_states.h"

namespace micrort::frontend::tflite {

namespace {

// Tensor k of a list of inputs or outputs; -1 if there is none.
int32_t TensorOf(const flatbuffers::Vector<int32_t>* list, flatbuffers::uoffset_t k) {
  return list == nullptr || k >= list->size() ? -1 : list->Get(k);
}

const fb::Tensor& TensorAt(const fb::SubGraph& graph, int32_t index) {
  return *graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
}

// Names of the variables that the subgraph assigns.
std::set<std::string> AssignedIn(const ModelFile& file, const fb::SubGraph& graph) {
  std::map<int32_t, std::string> handles;
  std::set<std::string> names;
  for (const fb::Operator* op : *graph.operators()) {
    const std::string kind = file.OpName(*op);
    if (kind == "VAR_HANDLE") handles[TensorOf(op->outputs(), 0)] = VariableName(*op);
    if (kind == "ASSIGN_VARIABLE") names.insert(handles[TensorOf(op->inputs(), 0)]);
  }
  return names;
}

}  // namespace

std::string VariableName(const fb::Operator& op) {
  const auto* options = op.builtin_options_as_VarHandleOptions();
  if (options == nullptr) return "/";
  const std::string container = options->container() == nullptr ? "" : options->container()->str();
  const std::string name = options->shared_name() == nullptr ? "" : options->shared_name()->str();
  return container.empty() ? name : container + "/" + name;
}

Status Variables::Declare(const ModelFile& file, const fb::SubGraph& graph, const Initial& initial,
                          ir::Graph* out) {
  if (graph.operators() == nullptr) return Status();
  const std::set<std::string> assigned = AssignedIn(file, graph);
  std::map<int32_t, std::string> handles;
  for (const fb::Operator* op : *graph.operators()) {
    const std::string kind = file.OpName(*op);
    const int32_t input = TensorOf(op->inputs(), 0), output = TensorOf(op->outputs(), 0);
    if (kind == "VAR_HANDLE") handles[output] = VariableName(*op);
    if (kind == "READ_VARIABLE" && output >= 0 && handles.count(input) != 0) {
      const std::string& name = handles[input];
      MICRORT_RETURN_IF_ERROR(
          DeclareResource(name, TensorAt(graph, output), assigned.count(name) != 0, initial, out)
              .WithPrefix("variable '%s'", name.c_str()));
    }
    if (op->inputs() == nullptr) continue;
    for (const int32_t index : *op->inputs()) {
      if (index < 0 || !TensorAt(graph, index).is_variable()) continue;
      MICRORT_RETURN_IF_ERROR(
          DeclareTensor(index, TensorAt(graph, index), out).WithPrefix("tensor %d", index));
    }
  }
  return Status();
}

// Its first value says what it is, or else the tensor that it is read into.
Status Variables::DeclareResource(const std::string& name, const fb::Tensor& shown, bool is_changed,
                                  const Initial& initial, ir::Graph* out) {
  if (variables_.count(name) != 0) return Status();
  ir::Value value;
  MICRORT_RETURN_IF_ERROR(ReadInput(shown, &value));
  const auto found = initial.find(name);
  std::shared_ptr<const ir::Bytes> bytes;
  if (found != initial.end()) {
    if (found->second.dtype != value.dtype)
      return MICRORT_ERROR(kInvalidModel, "it is read as %s, but is %s", micrort::Name(value.dtype),
                           micrort::Name(found->second.dtype));
    value.shape = found->second.shape;
    bytes = found->second.data;
  }
  if (!HasIntegerKernels(value.dtype)) value.quantization = {};
  value.name = name;
  value.in_source = false;
  Variable variable;
  variable.initial = bytes;
  if (!is_changed) {
    if (bytes == nullptr) return MICRORT_ERROR(kUnsupported, "nothing gives it a value");
    value.data = bytes;
    variable.current = out->AddValue(std::move(value));
  } else {
    variable.input = variable.current = out->AddValue(std::move(value));
    out->inputs.push_back(variable.input);
  }
  variables_.emplace(name, std::move(variable));
  return Status();
}

Status Variables::DeclareTensor(int32_t index, const fb::Tensor& tensor, ir::Graph* out) {
  if (variables_.count(KeyOf(index)) != 0) return Status();
  ir::Value value;
  MICRORT_RETURN_IF_ERROR(ReadInput(tensor, &value));
  if (!value.is_static()) return MICRORT_ERROR(kUnsupported, "a variable whose shape is not fixed");
  value.dtype = DType::kFloat32;
  value.quantization = {};
  value.in_source = false;
  Variable variable;
  variable.input = variable.current = out->AddValue(std::move(value));
  out->inputs.push_back(variable.input);
  variables_.emplace(KeyOf(index), std::move(variable));
  return Status();
}

Status Variables::AddStates(GraphAssembler* assembler) {
  ir::Graph& graph = assembler->graph();
  std::vector<std::pair<const Variable*, ir::ValueId>> kept;
  for (const auto& [name, variable] : variables_) {
    if (variable.input == ir::kNoValue) continue;
    ir::ValueId output = ir::kNoValue;
    const std::string next = graph.value(variable.input).name + "/next";
    MICRORT_RETURN_IF_ERROR(assembler->AddOutput(next, variable.current, &output));
    graph.value(output).in_source = false;
    kept.emplace_back(&variable, output);
  }
  // Only now: those that are states already come last.
  for (const auto& [variable, output] : kept)
    ir::AddState(output, variable->input, variable->initial, &graph);
  return Status();
}

Status Variables::BindHandle(int32_t tensor, const std::string& name) {
  handles_[tensor] = name;
  return Status();
}

Status Variables::NameOf(int32_t handle, std::string* name) const {
  const auto found = handles_.find(handle);
  if (found == handles_.end())
    return MICRORT_ERROR(kUnsupported, "a variable that is not named in the same subgraph");
  *name = found->second;
  return Status();
}

Status Variables::Read(int32_t handle, ir::ValueId* out) const {
  std::string name;
  MICRORT_RETURN_IF_ERROR(NameOf(handle, &name));
  const auto found = variables_.find(name);
  if (found == variables_.end() || found->second.current == ir::kNoValue)
    return MICRORT_ERROR(kInvalidModel, "variable '%s' has no value", name.c_str());
  *out = found->second.current;
  return Status();
}

Status Variables::Assign(int32_t handle, ir::ValueId id) {
  std::string name;
  MICRORT_RETURN_IF_ERROR(NameOf(handle, &name));
  variables_[name].current = id;
  return Status();
}

Status Variables::ReadTensor(int32_t tensor, ir::ValueId* out) const {
  const auto found = variables_.find(KeyOf(tensor));
  if (found == variables_.end()) return MICRORT_ERROR(kInvalidModel, "tensor %d is no variable", tensor);
  *out = found->second.current;
  return Status();
}

Status Variables::AssignTensor(int32_t tensor, ir::ValueId id) {
  const auto found = variables_.find(KeyOf(tensor));
  if (found == variables_.end()) return MICRORT_ERROR(kInvalidModel, "tensor %d is no variable", tensor);
  found->second.current = id;
  return Status();
}

Status Variables::TakeInitial(const ir::Graph& graph, Initial* out) const {
  for (const auto& [name, variable] : variables_) {
    const ir::Value& value = graph.value(variable.current);
    if (!value.is_constant())
      return MICRORT_ERROR(kUnsupported, "the first value of variable '%s' is computed", name.c_str());
    (*out)[name] = value;
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
