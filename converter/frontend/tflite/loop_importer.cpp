#include "converter/frontend/tflite/loop_importer.h"

#include <utility>

namespace micrort::frontend::tflite {

Status LoopImporter::Import(int64_t condition, int64_t body, ImportedBody* out) {
  for (bool again = true; again;) {
    again = false;
    std::set<std::string> assigned;
    const auto import = [&](CalledSubgraph& inside) {
      MICRORT_RETURN_IF_ERROR(ImportIteration(inside, condition));
      if (inside.importer().is_incomplete()) return Status();
      assigned = inside.importer().variables().assigned();
      return WidenAll(inside.importer().assembler(), 1, &carried_, &again);  // after the condition
    };
    MICRORT_RETURN_IF_ERROR(CalledSubgraph::ImportInside(caller_, body, arguments_.size(), import, out));
    MICRORT_RETURN_IF_ERROR(CarryVariables(assigned, &again));
  }
  return Status();
}

// The body, then the condition on what it gives.
Status LoopImporter::ImportIteration(CalledSubgraph& body, int64_t condition) {
  SubgraphImporter& importer = body.importer();
  AddLoopScalars(&importer.assembler().graph());
  for (const CarriedValue& value : carried_) MICRORT_RETURN_IF_ERROR(AddInput(value, importer));
  MICRORT_RETURN_IF_ERROR(body.BindOuter(arguments_));
  MICRORT_RETURN_IF_ERROR(body.ImportOperators().WithPrefix("body"));
  std::vector<TensorValue> results;
  MICRORT_RETURN_IF_ERROR(body.TakeResults(&results));
  if (importer.is_incomplete()) return Status();
  MICRORT_RETURN_IF_ERROR(ImportCondition(importer, condition, results).WithPrefix("condition"));
  for (const CarriedValue& value : carried_) {
    MICRORT_RETURN_IF_ERROR(value.position < 0 ? body.AddVariableOutput(value.variable)
                                               : body.AddOutput(static_cast<size_t>(value.position)));
  }
  return Status();
}

Status LoopImporter::ImportCondition(SubgraphImporter& body, int64_t condition,
                                     const std::vector<TensorValue>& results) {
  std::vector<TensorValue> go_on;
  MICRORT_RETURN_IF_ERROR(CalledSubgraph::Inline(body, condition, results, &go_on));
  GraphAssembler& assembler = body.assembler();
  if (go_on.size() != 1 || assembler.graph().value(go_on[0].any()).dtype != DType::kBool)
    return Invalid("expected one bool");
  ir::ValueId output = ir::kNoValue;
  return assembler.AddOutput("condition/next", go_on[0].any(), &output);
}

Status LoopImporter::AddInput(const CarriedValue& carried, SubgraphImporter& body) {
  GraphAssembler& assembler = body.assembler();
  const ir::ValueId id = AddCarriedInput(assembler, carried);
  if (carried.position < 0) {
    ir::Builder builder = assembler.BuilderFor({carried.variable, "input", 0}, carried.variable);
    body.variables().Remember(carried.variable, carried.form.Stored(id, builder));
    return builder.status();
  }
  const int32_t index = body.stated().inputs()->Get(static_cast<flatbuffers::uoffset_t>(carried.position));
  TensorValue& input = body.tensors().At(index);
  (IsQuantizedActivation(body.tensors().Stated(index)) ? input.real : input.stored) = id;
  return Status();
}

bool LoopImporter::IsCarried(const std::string& variable) const {
  for (const CarriedValue& value : carried_) {
    if (value.position < 0 && value.variable == variable) return true;
  }
  return false;
}

Status LoopImporter::CarryVariables(const std::set<std::string>& assigned, bool* changed) {
  Variables& variables = caller_.variables();
  for (const std::string& variable : assigned) {
    if (!variables.IsDeclared(variable) || IsCarried(variable)) continue;
    *changed = true;
    CarriedValue value;
    value.variable = variable;
    MICRORT_RETURN_IF_ERROR(variables.Read(variable, &value.first));
    value.form = StoredForm::Of(builder_.graph().value(value.first));
    value.first = value.form.Real(value.first, builder_);
    value.name = builder_.graph().value(value.first).name;
    carried_.push_back(std::move(value));
  }
  return builder_.status();
}

}  // namespace micrort::frontend::tflite
