// CALL, IF, WHILE, STABLEHLO_COMPOSITE, STABLEHLO_WHILE.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/tflite/called_subgraph.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// The subgraphs of a WHILE as the body of a Loop: outputs are whether to go on, then the carried values.

// A value that each iteration of a loop hands to the next one: a tensor, or a variable that the loop's
// subgraphs change.
struct CarriedValue : Carried {
  int position = -1;  // among the loop's inputs; -1: a variable
  std::string variable = {};
  StoredForm form = {};  // of the variable
};

class LoopImporter {
 public:
  // `caller` has the operator, `builder` is for nodes before it. *carried: the tensors that the loop carries;
  // the variables that it changes are added.
  LoopImporter(SubgraphImporter& caller, const std::vector<TensorValue>& arguments, ir::Builder& builder,
               std::vector<CarriedValue>* carried)
      : caller_(caller), arguments_(arguments), builder_(builder), carried_(*carried) {}

  Status Import(int64_t condition, int64_t body, ImportedBody* out);

 private:
  Status ImportIteration(CalledSubgraph& body, int64_t condition);
  Status ImportCondition(SubgraphImporter& body, int64_t condition, const std::vector<TensorValue>& results);
  Status AddInput(const CarriedValue& carried, SubgraphImporter& body);
  Status CarryVariables(const std::set<std::string>& assigned, bool* changed);
  bool IsCarried(const std::string& variable) const;

  SubgraphImporter& caller_;
  const std::vector<TensorValue>& arguments_;
  ir::Builder& builder_;
  std::vector<CarriedValue>& carried_;
};

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
  return assembler.AddOutput("condition/next", go_on[0].any()).status();
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
    MICRORT_ASSIGN_OR_RETURN(value.first, variables.Read(variable));
    value.form = StoredForm::Of(builder_.graph().value(value.first));
    value.first = value.form.Real(value.first, builder_);
    value.name = builder_.graph().value(value.first).name;
    carried_.push_back(std::move(value));
  }
  return builder_.status();
}

// The two subgraphs of an IF as graphs inside it.

// Outputs: those of the subgraphs, as SubgraphImporter::PassedArgument has them, then the variables that one
// of them changes.
struct ImportedBranches {
  ImportedBody bodies[2];  // then, else
  std::set<std::string> changed;
};

Status ImportBranch(CalledSubgraph& branch, const std::vector<TensorValue>& arguments,
                    const std::set<std::string>& changed) {
  MICRORT_RETURN_IF_ERROR(branch.BindOuter(arguments));
  MICRORT_RETURN_IF_ERROR(branch.ImportOperators());
  std::vector<TensorValue> results;
  MICRORT_RETURN_IF_ERROR(branch.TakeResults(&results));
  if (branch.importer().is_incomplete()) return Status();
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].variable.empty()) MICRORT_RETURN_IF_ERROR(branch.AddOutput(i));
  }
  for (const std::string& variable : changed) MICRORT_RETURN_IF_ERROR(branch.AddVariableOutput(variable));
  return Status();
}

Status ImportBranches(SubgraphImporter& caller, const int64_t (&subgraphs)[2],
                      const std::vector<TensorValue>& arguments, ImportedBranches* out) {
  // What one branch changes, the other hands on, so once that is known, both are imported again.
  for (bool again = true; again;) {
    std::set<std::string> found = out->changed;
    const auto import = [&](size_t k, ImportedBody* body) {
      const auto import_inside = [&](CalledSubgraph& branch) {
        const Status status = ImportBranch(branch, arguments, out->changed);
        for (const std::string& variable : branch.importer().variables().assigned()) {
          if (caller.variables().IsDeclared(variable)) found.insert(variable);
        }
        return status;
      };
      return CalledSubgraph::ImportInside(caller, subgraphs[k], arguments.size(), import_inside, body)
          .WithPrefix(k == 0 ? "then" : "else");
    };
    MICRORT_RETURN_IF_ERROR(ImportEachBranch(import, &out->bodies));
    again = found != out->changed;
    out->changed = std::move(found);
  }
  return Status();
}

Status ReadArguments(OpContext& c, size_t first, std::vector<TensorValue>* out) {
  for (size_t i = first; i < c.op.input_count(); ++i) {
    out->emplace_back();
    MICRORT_RETURN_IF_ERROR(
        c.subgraph.Argument(c.op.input_index(i), &out->back()).WithPrefix("input %zu", i));
  }
  return Status();
}

Result<std::vector<TensorValue>> ReadPassedArguments(OpContext& c, size_t first) {
  std::vector<TensorValue> out;
  for (size_t i = first; i < c.op.input_count(); ++i) {
    out.emplace_back();
    MICRORT_RETURN_IF_ERROR(
        c.subgraph.PassedArgument(c.op.input_index(i), c.build, &out.back()).WithPrefix("input %zu", i));
  }
  return out;
}

Status CheckOutputCount(const OpContext& c, size_t count) {
  if (c.op.output_count() == count) return Status();
  return Invalid("it has {} outputs, and its subgraph {}", c.op.output_count(), count);
}

Status CheckCondition(const ir::Value& x) {
  if (x.dtype == DType::kBool && (!x.is_static() || x.elements() == 1)) return Status();
  return Invalid("condition '{}': expected one bool", x.name);
}

void SetResult(OpContext& c, size_t i, const TensorValue& value) {
  if (!value.variable.empty()) {
    if (c.op.wants_output(i)) c.BindVariable(i, value.variable);
  } else if (value.stored != ir::kNoValue) {
    c.SetStoredOutput(i, value.stored);
  } else {
    c.SetOutput(i, value.real);
  }
}

Status Inline(OpContext& c, int64_t subgraph, size_t first_argument) {
  std::vector<TensorValue> arguments, results;
  MICRORT_RETURN_IF_ERROR(ReadArguments(c, first_argument, &arguments));
  MICRORT_RETURN_IF_ERROR(CalledSubgraph::Inline(c.subgraph, subgraph, arguments, &results));
  MICRORT_RETURN_IF_ERROR(CheckOutputCount(c, results.size()));
  for (size_t i = 0; i < results.size(); ++i) SetResult(c, i, results[i]);
  return c.build.status();
}

Status ImportCall(OpContext& c) { return Inline(c, c.op.Options<fb::CallOptionsT>().subgraph, 0); }

// A name for what its subgraph computes.
Status ImportComposite(OpContext& c) {
  return Inline(c, c.op.Options2<fb::StableHLOCompositeOptionsT>().decomposition_subgraph_index, 0);
}

// Names of the variables that a subgraph hands back are those that it was given.
bool HasHandles(OpContext& c) {
  bool any = false;
  for (size_t i = 0; i < c.op.output_count(); ++i)
    any |= c.op.wants_output(i) && c.op.output_tensor(i).type() == fb::TensorType::Resource;
  return any;
}

Status ImportIf(OpContext& c) {
  const auto o = c.op.Options<fb::IfOptionsT>();
  const ir::ValueId condition = c.input(0);
  MICRORT_RETURN_IF_ERROR(CheckCondition(c.value(condition)));
  bool is_true = false;
  if (c.subgraph.assembler().IsSettled(condition, &is_true))
    return Inline(c, is_true ? o.then_subgraph_index : o.else_subgraph_index, 1);
  if (HasHandles(c)) return Unsupported("branches that give variables");
  MICRORT_ASSIGN_OR_RETURN(std::vector<TensorValue> arguments, ReadPassedArguments(c, 1));
  ImportedBranches imported;
  MICRORT_RETURN_IF_ERROR(
      ImportBranches(c.subgraph, {o.then_subgraph_index, o.else_subgraph_index}, arguments, &imported));
  ImportedBody(&branches)[2] = imported.bodies;
  const size_t outputs = branches[0].graph->outputs.size();
  if (branches[1].graph->outputs.size() != outputs)
    return Invalid("the branches have {} and {} outputs", outputs, branches[1].graph->outputs.size());
  MICRORT_RETURN_IF_ERROR(CheckOutputCount(c, outputs - imported.changed.size()));
  const std::vector<ir::ValueId> all = AddIf(c.build, condition, branches);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  for (size_t i = 0; i < c.op.output_count(); ++i) c.SetOutput(i, all[i]);
  size_t next = c.op.output_count();
  for (const std::string& variable : imported.changed)
    MICRORT_RETURN_IF_ERROR(c.subgraph.variables().AssignReal(variable, all[next++], c.build));
  return Status();
}

// Those that the body gives as it got them are not carried.
Status FindCarried(OpContext& c, int64_t body, const std::vector<TensorValue>& arguments,
                   std::vector<CarriedValue>* out) {
  MICRORT_RETURN_IF_ERROR(CheckSubgraphIndex(c.subgraph.file(), body));
  const fb::SubGraph& graph = c.subgraph.file().subgraph(static_cast<size_t>(body));
  const size_t inputs = graph.inputs() == nullptr ? 0 : graph.inputs()->size(),
               outputs = graph.outputs() == nullptr ? 0 : graph.outputs()->size();
  if (inputs != arguments.size() || outputs != arguments.size() || c.op.output_count() != arguments.size())
    return Invalid("expected a body of {} inputs and outputs, found {} and {}", arguments.size(), inputs,
                   outputs);
  for (flatbuffers::uoffset_t i = 0; i < arguments.size(); ++i) {
    if (graph.inputs()->Get(i) == graph.outputs()->Get(i)) continue;
    if (!arguments[i].variable.empty())
      return Unsupported("input {}, which iterations hand on, is a variable", i);
    const ir::ValueId first = arguments[i].any();
    out->push_back({{first, c.value(first).name, "", 0}, static_cast<int>(i)});
  }
  return Status();
}

// Appends the condition before the first iteration.
Status FirstCondition(OpContext& c, int64_t subgraph, ir::ValueId* out) {
  std::vector<TensorValue> arguments, results;
  MICRORT_RETURN_IF_ERROR(ReadArguments(c, 0, &arguments));
  MICRORT_RETURN_IF_ERROR(
      CalledSubgraph::Inline(c.subgraph, subgraph, arguments, &results).WithPrefix("condition"));
  if (results.size() != 1 || results[0].any() == ir::kNoValue)
    return Invalid("the condition has {} outputs", results.size());
  *out = results[0].any();
  return CheckCondition(c.value(*out));
}

Status ImportLoop(OpContext& c, int64_t condition_subgraph, int64_t body_subgraph) {
  ir::ValueId condition = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(FirstCondition(c, condition_subgraph, &condition));
  MICRORT_ASSIGN_OR_RETURN(std::vector<TensorValue> arguments, ReadPassedArguments(c, 0));
  std::vector<CarriedValue> carried;
  MICRORT_RETURN_IF_ERROR(FindCarried(c, body_subgraph, arguments, &carried));
  for (size_t i = 0; i < arguments.size(); ++i) SetResult(c, i, arguments[i]);
  bool is_true = true;
  const bool is_settled = c.subgraph.assembler().IsSettled(condition, &is_true);
  if (!is_true) return c.build.status();
  ImportedBody body;
  LoopImporter loop(c.subgraph, arguments, c.build, &carried);
  MICRORT_RETURN_IF_ERROR(loop.Import(condition_subgraph, body_subgraph, &body));
  const std::vector<ir::ValueId> all =
      AddLoop(c.build, ir::kNoValue, is_settled ? ir::kNoValue : condition, FirstsOf(carried), body, true);
  MICRORT_RETURN_IF_ERROR(c.build.status());
  for (size_t k = 0; k < carried.size(); ++k) {
    if (carried[k].position >= 0) {
      c.SetOutput(static_cast<size_t>(carried[k].position), all[k]);
    } else {
      MICRORT_RETURN_IF_ERROR(c.subgraph.variables().AssignReal(carried[k].variable, all[k], c.build));
    }
  }
  return Status();
}

Status ImportWhile(OpContext& c) {
  const auto o = c.op.Options<fb::WhileOptionsT>();
  return ImportLoop(c, o.cond_subgraph_index, o.body_subgraph_index);
}

Status ImportHloWhile(OpContext& c) {
  const auto o = c.op.Options2<fb::StablehloWhileOptionsT>();
  return ImportLoop(c, o.cond_subgraph_index, o.body_subgraph_index);
}

constexpr OpSupport kLoops =
    Types(kAllTypes).Without("values that grow without bound; variables that iterations exchange");

}  // namespace

const ImporterList ControlFlowImporters = {
    {"CALL", 0, -1, ImportCall, Types(kAllTypes)},
    {"IF", 1, -1, ImportIf,
     Types(kAllTypes).Without("branches whose outputs differ in rank, unless the condition follows from "
                              "shapes; branches that give variables")},
    {"STABLEHLO_COMPOSITE", 0, -1, ImportComposite, Types(kAllTypes)},
    {"STABLEHLO_WHILE", 1, -1, ImportHloWhile, kLoops},
    {"WHILE", 1, -1, ImportWhile, kLoops},
};

}  // namespace micrort::frontend::tflite
