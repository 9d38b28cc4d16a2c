#include "converter/frontend/tensorflow/variables.h"

#include <algorithm>

#include "converter/frontend/common/errors.h"
#include "converter/ir/keep_states.h"

namespace micrort::frontend::tensorflow {

std::string SharedName(const ::tensorflow::NodeDef& handle) {
  const auto found = handle.attr().find("shared_name");
  return found == handle.attr().end() || found->second.s().empty() ? handle.name() : found->second.s();
}

Result<ConstantTensor> Variables::Load(const std::string& variable) const {
  if (!checkpoint_.is_open())
    return Invalid(
        "variable '{}' has no value: give the whole SavedModel, with its folder variables/, or freeze the "
        "graph",
        variable);
  ConstantTensor tensor;
  MICRORT_RETURN_IF_ERROR(checkpoint_.Read(variable, &tensor).WithPrefix("variable '%s'", variable.c_str()));
  return tensor;
}

Status Variables::CheckHandle(const std::string& variable, const ::tensorflow::NodeDef& handle) const {
  return checkpoint_.is_open() ? checkpoint_.CheckHandle(variable, handle) : Status();
}

void Variables::Give(const std::string& variable, ir::ValueId input, bool is_state) {
  now_[variable] = input;
  if (!is_state) return;
  inputs_[variable] = input;
  given_.insert(variable);
}

Status Variables::DeclareStates(ir::Graph* graph) {
  for (const std::string& variable : kept_) {
    if (now_.count(variable) != 0) continue;
    MICRORT_ASSIGN_OR_RETURN(const ConstantTensor stored, Load(variable));
    ir::Value value;
    value.name = variable;
    value.has_shape = true;
    value.dtype = stored.dtype;
    value.shape = stored.shape;
    const ir::ValueId id = graph->AddValue(std::move(value));
    graph->inputs.push_back(id);
    now_[variable] = inputs_[variable] = id;
  }
  return Status();
}

Result<ir::ValueId> Variables::Read(const std::string& variable, const std::string& name,
                                    GraphAssembler* outermost) {
  const auto found = now_.find(variable);
  if (found != now_.end()) return found->second;
  MICRORT_ASSIGN_OR_RETURN(ConstantTensor tensor, Load(variable));
  return now_[variable] = outermost->graph().AddConstant(name, tensor.dtype, std::move(tensor.shape),
                                                         std::move(tensor.data));
}

void Variables::Change(const std::string& variable, ir::ValueId value) {
  now_[variable] = value;
  changed_.insert(variable);
}

Status Variables::AddStates(GraphAssembler* outermost) const {
  ir::Graph& graph = outermost->graph();
  std::map<std::string, ir::ValueId> outputs;
  for (const auto& [variable, input] : inputs_) {
    // What no run finds as the one before left it need not be kept.
    if (given_.count(variable) == 0 && !ir::IsRead(graph, input)) {
      graph.inputs.erase(std::remove(graph.inputs.begin(), graph.inputs.end(), input), graph.inputs.end());
      continue;
    }
    const ir::ValueId now = now_.at(variable);
    const ir::Value &before = graph.value(input), &after = graph.value(now);
    if (before.dtype != after.dtype || before.shape != after.shape)
      return Unsupported("variable '{}' is kept from run to run, but a run changes its type or shape",
                         variable);
    MICRORT_ASSIGN_OR_RETURN(outputs[variable], outermost->AddOutput(variable + "/next", now));
    graph.value(outputs[variable]).in_source = false;
  }
  for (const auto& [variable, output] : outputs) {
    ConstantTensor stored;
    const bool has_value = given_.count(variable) == 0 || checkpoint_.is_open();
    if (has_value) MICRORT_RETURN_IF_ERROR(Take(Load(variable), &stored));
    const bool is_zero =
        std::all_of(stored.data.begin(), stored.data.end(), [](uint8_t byte) { return byte == 0; });
    ir::AddState(output, inputs_.at(variable),
                 is_zero ? nullptr : std::make_shared<const ir::Bytes>(std::move(stored.data)), &graph);
  }
  return Status();
}

}  // namespace micrort::frontend::tensorflow
