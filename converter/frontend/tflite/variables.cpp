#include "converter/frontend/tflite/variables.h"

#include <utility>

#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/ir/keep_states.h"

namespace micrort::frontend::tflite {

namespace {

// Scales are those of the tensor that the variable is read into, whose shape may be another one.
Status CheckScales(const ir::Value& value) {
  const ir::Quantization& q = value.quantization;
  if (q.axis < 0) return Status();
  const int64_t size = q.axis < value.rank() ? value.shape[static_cast<size_t>(q.axis)] : 0;
  if (size == static_cast<int64_t>(q.scales.size())) return Status();
  return Invalid("it is read with {} scales along dimension {}, which has size {}", q.scales.size(), q.axis,
                 size);
}

// Whether kernels compute with the integers of a state as they are kept; other states are real numbers.
bool KeepsIntegers(const ir::Value& value) {
  const ir::Quantization& q = value.quantization;
  if (q.scales.size() != 1) return false;
  return value.dtype == DType::kInt8 || (value.dtype == DType::kInt16 && q.zero_points.empty());
}

// The integers that stand for 0; null where these are 0, too.
std::shared_ptr<const ir::Bytes> RealZeros(const ir::Value& value) {
  if (value.quantization.zero_points.empty()) return nullptr;
  return std::make_shared<const ir::Bytes>(static_cast<size_t>(value.elements()),
                                           static_cast<uint8_t>(value.quantization.zero_points[0]));
}

}  // namespace

Status Variables::Declare(const VariableUses& uses, const Initial& initial, ir::Graph* out) {
  for (const VariableUse& use : uses.all) {
    if (use.hidden != nullptr) {
      DeclareHidden(use, out);
      continue;
    }
    const Status status = use.is_tensor ? DeclareTensor(use, out) : DeclareResource(use, initial, out);
    if (!status.ok()) return status.WithPrefix("variable '%s'", use.key.c_str());
  }
  return Status();
}

// Its first value says what it is, or else the tensor that it is read into.
Status Variables::DeclareResource(const VariableUse& use, const Initial& initial, ir::Graph* out) {
  ir::Value value;
  MICRORT_RETURN_IF_ERROR(ReadInput(*use.shown, &value));
  const auto found = initial.find(use.key);
  std::shared_ptr<const ir::Bytes> bytes;
  if (found != initial.end()) {
    if (found->second.dtype != value.dtype)
      return Invalid("it is read as {}, but is {}", micrort::Name(value.dtype),
                     micrort::Name(found->second.dtype));
    value.shape = found->second.shape;
    bytes = found->second.data;
  }
  if (!HasIntegerKernels(value.dtype)) value.quantization = {};
  if (bytes != nullptr) MICRORT_RETURN_IF_ERROR(CheckScales(value));
  value.name = use.key;
  value.in_source = false;
  Variable variable;
  variable.initial = bytes;
  if (!use.is_changed) {
    if (bytes == nullptr) return Unsupported("nothing gives it a value");
    value.data = bytes;
    variable.current = out->AddValue(std::move(value));
  } else {
    variable.input = variable.current = out->AddValue(std::move(value));
    out->inputs.push_back(variable.input);
  }
  variables_.emplace(use.key, std::move(variable));
  return Status();
}

Status Variables::DeclareTensor(const VariableUse& use, ir::Graph* out) {
  ir::Value value;
  MICRORT_RETURN_IF_ERROR(ReadInput(*use.shown, &value));
  if (!value.is_static()) return Unsupported("a variable whose shape is not fixed");
  Variable variable;
  if (KeepsIntegers(value)) {
    variable.initial = RealZeros(value);
  } else {
    value.dtype = DType::kFloat32;
    value.quantization = {};
  }
  value.in_source = false;
  variable.input = variable.current = out->AddValue(std::move(value));
  out->inputs.push_back(variable.input);
  variables_.emplace(use.key, std::move(variable));
  return Status();
}

void Variables::DeclareHidden(const VariableUse& use, ir::Graph* out) {
  ir::Value value = *use.hidden;
  Variable variable;
  variable.initial = std::exchange(value.data, nullptr);
  variable.input = variable.current = out->AddValue(std::move(value));
  out->inputs.push_back(variable.input);
  variables_.emplace(use.key, std::move(variable));
}

Status Variables::AddStates(GraphAssembler* assembler) {
  ir::Graph& graph = assembler->graph();
  std::vector<std::pair<const Variable*, ir::ValueId>> kept;
  for (const auto& [name, variable] : variables_) {
    if (variable.input == ir::kNoValue) continue;
    const std::string next = graph.value(variable.input).name + "/next";
    MICRORT_ASSIGN_OR_RETURN(ir::ValueId output, assembler->AddOutput(next, variable.current));
    graph.value(output).in_source = false;
    kept.emplace_back(&variable, output);
  }
  // Only now: those that are states already come last.
  for (const auto& [variable, output] : kept)
    ir::AddState(output, variable->input, variable->initial, &graph);
  return Status();
}

ir::ValueId Variables::Find(const std::string& key) const {
  const auto found = variables_.find(key);
  return found == variables_.end() ? ir::kNoValue : found->second.current;
}

bool Variables::IsDeclared(const std::string& key) const {
  return Find(key) != ir::kNoValue || (caller_ != nullptr && caller_->IsDeclared(key));
}

Result<ir::ValueId> Variables::Read(const std::string& key) {
  const ir::ValueId known = Find(key);
  if (known != ir::kNoValue) return known;
  if (caller_ == nullptr) return Invalid("variable '{}' has no value", key);
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId outer, caller_->Read(key));
  const ir::ValueId captured = assembler_->Capture(outer);
  Remember(key, captured);
  return captured;
}

void Variables::Assign(const std::string& key, ir::ValueId id) {
  variables_[key].current = id;
  assigned_.insert(key);
}

void Variables::TakeAssigned(const Variables& called) {
  for (const std::string& key : called.assigned_) Assign(key, called.Find(key));
}

Result<ir::ValueId> Variables::ReadReal(const std::string& key, ir::Builder& builder) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId stored, Read(key));
  return builder.Checked(StoredForm::Of(builder.graph().value(stored)).Real(stored, builder));
}

Status Variables::AssignReal(const std::string& key, ir::ValueId real, ir::Builder& builder) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId before, Read(key));
  Assign(key, StoredForm::Of(builder.graph().value(before)).Stored(real, builder));
  return builder.status();
}

void Variables::Start(const Initial& initial, ir::Graph* graph) {
  for (const auto& [name, value] : initial) variables_[name].current = graph->AddValue(value);
}

Status Variables::TakeInitial(const ir::Graph& graph, Initial* out) const {
  for (const auto& [name, variable] : variables_) {
    const ir::Value& value = graph.value(variable.current);
    if (!value.is_constant()) return Unsupported("the first value of variable '{}' is computed", name);
    (*out)[name] = value;
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
