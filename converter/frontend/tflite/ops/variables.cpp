// VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE, CALL_ONCE.

#include "converter/frontend/tflite/graph_importer.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

Status ImportVarHandle(OpContext& c) {
  if (!c.wants_output(0)) return MICRORT_ERROR(kInvalidModel, "it has no output");
  c.graphs.BindHandle(c.output_index(0), VariableName(c.op()));
  return Status();
}

Status ImportReadVariable(OpContext& c) {
  ir::ValueId value = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(c.graphs.ReadVariable(c.input_index(0), &value));
  c.SetStoredOutput(0, value);
  return Status();
}

Status ImportAssignVariable(OpContext& c) { return c.graphs.AssignVariable(c.input_index(0), c.stored(1)); }

// Its subgraph has run when variables were declared.
Status ImportCallOnce(OpContext&) { return Status(); }

}  // namespace

Span<const OpImporter> VariableImporters() {
  static constexpr OpImporter kImporters[] = {
      {"ASSIGN_VARIABLE", 2, 2, ImportAssignVariable, Types(kAllTypes)},
      {"CALL_ONCE", 0, 0, ImportCallOnce,
       OpSupport().Without("first values of variables that are not constant")},
      {"READ_VARIABLE", 1, 1, ImportReadVariable, Types(kAllTypes)},
      {"VAR_HANDLE", 0, 0, ImportVarHandle},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
