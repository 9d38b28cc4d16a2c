// VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, CALL_ONCE.

#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

namespace {

Status ImportVarHandle(OpContext& c) {
  if (!c.op.wants_output(0)) return Invalid("it has no output");
  c.BindVariable(0, VariableName(c.op.stated()));
  return Status();
}

Result<std::string> ReadHandle(OpContext& c) {
  const std::string variable = c.subgraph.tensors().At(c.op.input_index(0)).variable;
  if (variable.empty()) return Invalid("its input is no variable");
  return variable;
}

Status ImportReadVariable(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::string variable, ReadHandle(c));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId value, c.subgraph.variables().Read(variable));
  c.SetStoredOutput(0, value);
  return Status();
}

Status ImportAssignVariable(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::string variable, ReadHandle(c));
  c.subgraph.variables().Assign(variable, c.stored(1));
  return Status();
}

// Its subgraph has run when variables were declared.
Status ImportCallOnce(OpContext&) { return Status(); }

}  // namespace

const ImporterList VariableImporters = {
    {"ASSIGN_VARIABLE", 2, 2, ImportAssignVariable, Types(kAllTypes)},
    {"CALL_ONCE", 0, 0, ImportCallOnce,
     OpSupport().Without("first values of variables that are not constant")},
    {"READ_VARIABLE", 1, 1, ImportReadVariable, Types(kAllTypes)},
    {"VAR_HANDLE", 0, 0, ImportVarHandle},
};

}  // namespace micrort::frontend::tflite
