#include "converter/frontend/tensorflow/control_flow.h"

#include <algorithm>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/tensorflow/tensor_lists.h"

namespace micrort::frontend::tensorflow {

namespace {

using ::tensorflow::NameAttrList;
using ::tensorflow::NodeDef;
using Branch = std::function<Result<TfValues>(const TfValues& arguments)>;

constexpr int kMaxBranches = 64;

const NameAttrList* FindFunctionAttr(const NodeDef& node, const char* name) {
  const auto found = node.attr().find(name);
  return found == node.attr().end() || !found->second.has_func() ? nullptr : &found->second.func();
}

class Branches {
 public:
  Branches(GraphImporter& graphs, Scope& scope, const NodeDef& node)
      : graphs_(graphs), scope_(scope), node_(node), name_(scope.prefix() + node.name()) {}

  Result<TfValues> ImportIf(const TfValues& inputs) {
    const NameAttrList* branches[] = {FindFunctionAttr(node_, "then_branch"),
                                      FindFunctionAttr(node_, "else_branch")};
    if (branches[0] == nullptr || branches[1] == nullptr) return Invalid("it names no function");
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId condition, ConditionOf(graphs_.assembler(), name_, inputs[0]));
    return Choose(condition, {inputs.begin() + 1, inputs.end()}, Call(*branches[0]), Call(*branches[1]));
  }

  Result<TfValues> ImportCase(const TfValues& inputs) {
    const auto branches = node_.attr().find("branches");
    const int count = branches == node_.attr().end() ? 0 : branches->second.list().func_size();
    if (count < 1) return Invalid("it names no function");
    if (count > kMaxBranches) return Unsupported("more than {} branches", kMaxBranches);
    if (inputs[0].tensor == ir::kNoValue) return Invalid("the index is no tensor");
    for (const NameAttrList& function : branches->second.list().func()) cases_.push_back(&function);
    return ImportCasesFrom(0, inputs);
  }

 private:
  Branch Call(const NameAttrList& function) {
    return [this, &function](const TfValues& arguments) {
      return graphs_.ImportCall(scope_, node_, function, arguments);
    };
  }

  // An index that none of the others has runs the last one. inputs: index, arguments.
  Result<TfValues> ImportCasesFrom(size_t k, const TfValues& inputs) {
    const TfValue index = graphs_.Here(inputs[0]);
    // In a loop rather than a call each, as nothing limits how many indices that are known nest.
    for (; k + 1 < cases_.size(); ++k) {
      bool is_true = false;
      MICRORT_ASSIGN_OR_RETURN(const ir::ValueId is_it, IsCase(k, index));
      if (!graphs_.assembler().IsSettled(is_it, &is_true)) return ChooseCase(k, is_it, inputs);
      if (is_true) break;
    }
    return Call(*cases_[k])({inputs.begin() + 1, inputs.end()});
  }

  Result<ir::ValueId> IsCase(size_t k, const TfValue& index) {
    ir::Builder build = graphs_.assembler().BuilderFor({name_, node_.op(), 0}, name_);
    const ir::ValueId candidate = build.Cast(build.Constant<int32_t>({}, {static_cast<int32_t>(k)}),
                                             build.graph().value(index.tensor).dtype);
    return build.Checked(build.Equal(index.tensor, candidate));
  }

  Result<TfValues> ChooseCase(size_t k, ir::ValueId is_it, const TfValues& inputs) {
    const Branch then = [&](const TfValues& given) {
      return Call(*cases_[k])({given.begin() + 1, given.end()});
    };
    const Branch otherwise = [&](const TfValues& given) { return ImportCasesFrom(k + 1, given); };
    return Choose(is_it, inputs, then, otherwise);
  }

  Result<TfValues> Choose(ir::ValueId condition, TfValues arguments, const Branch& then,
                          const Branch& otherwise) {
    bool is_true = false;
    if (graphs_.assembler().IsSettled(condition, &is_true)) return (is_true ? then : otherwise)(arguments);
    for (TfValue& argument : arguments) argument = graphs_.Here(argument);
    arguments = FromAround(std::move(arguments));
    ImportedBody bodies[2];
    TfValues inner[2];
    const auto import = [&](size_t k, ImportedBody* body) {
      const auto import_inside = [&]() -> Status {
        MICRORT_ASSIGN_OR_RETURN(inner[k], (k == 0 ? then : otherwise)(arguments));
        if (!IsComplete(inner[k])) return OperatorInside();
        return HandOut(inner[k]);
      };
      return graphs_.ImportInside(import_inside, body).WithPrefix(k == 0 ? "then" : "else");
    };
    MICRORT_RETURN_IF_ERROR(ImportEachBranch(import, &bodies));
    for (size_t k = 0; k < 2; ++k) {
      if (bodies[k].misfits) inner[k] = inner[1 - k];
    }
    MICRORT_RETURN_IF_ERROR(CheckAlike(inner[0], inner[1]));
    ir::Builder build = graphs_.assembler().BuilderFor({name_, node_.op(), 0}, name_);
    const std::vector<ir::ValueId> ids = AddIf(build, condition, bodies);
    MICRORT_RETURN_IF_ERROR(build.status());
    size_t next = 0;
    for (TfValue& value : inner[0]) {
      if (value.variable.empty()) value = Stacked(value, ids[next++]);
    }
    return inner[0];
  }

  Status HandOut(const TfValues& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      const ir::ValueId id = TensorOf(values[i]);
      if (id == ir::kNoValue) continue;
      MICRORT_RETURN_IF_ERROR(graphs_.assembler().AddOutput(name_ + ":" + std::to_string(i), id).status());
    }
    return Status();
  }

  static Status CheckAlike(const TfValues& a, const TfValues& b) {
    if (a.size() != b.size()) return Invalid("the branches have {} and {} outputs", a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      const bool has_tensors = TensorOf(a[i]) != ir::kNoValue && TensorOf(b[i]) != ir::kNoValue;
      const bool has_variables = !a[i].variable.empty() && a[i].variable == b[i].variable;
      const bool are_alike = (a[i].list == nullptr) == (b[i].list == nullptr);
      if ((!has_tensors && !has_variables) || !are_alike)
        return Unsupported("output {} is no tensor of both branches", i);
    }
    return Status();
  }

  GraphImporter& graphs_;
  Scope& scope_;
  const NodeDef& node_;
  const std::string name_;
  std::vector<const NameAttrList*> cases_;
};

Result<TfValues> ImportLoop(GraphImporter& graphs, Scope& scope, const NodeDef& node,
                            const TfValues& inputs) {
  const NameAttrList *condition = FindFunctionAttr(node, "cond"), *body = FindFunctionAttr(node, "body");
  if (condition == nullptr || body == nullptr) return Invalid("it names no function");
  return ImportWhile(graphs, scope, node, *condition, *body, inputs);
}

// What the node comes after cannot be imported; what is in its functions is looked at all the same.
Result<TfValues> LookInside(GraphImporter& graphs, Scope& scope, const NodeDef& node,
                            const TfValues& inputs) {
  const bool is_loop = node.attr().count("body") != 0;
  const TfValues arguments(inputs.begin() + (is_loop || inputs.empty() ? 0 : 1), inputs.end());
  for (const auto& attribute : node.attr()) {
    if (!attribute.second.has_func()) continue;
    MICRORT_RETURN_IF_ERROR(graphs.ImportCall(scope, node, attribute.second.func(), arguments).status());
  }
  return TfValues();
}

}  // namespace

bool IsControlFlow(const std::string& op) {
  for (const char* known : {"If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile"}) {
    if (op == known) return true;
  }
  return false;
}

Result<TfValues> ImportControlFlow(GraphImporter& graphs, Scope& scope, const NodeDef& node,
                                   const TfValues& inputs) {
  if (!IsComplete(inputs)) return LookInside(graphs, scope, node, inputs);
  const std::string& op = node.op();
  if (op == "While" || op == "StatelessWhile") return ImportLoop(graphs, scope, node, inputs);
  if (inputs.empty()) return Invalid("it has no condition");
  Branches branches(graphs, scope, node);
  return op == "If" || op == "StatelessIf" ? branches.ImportIf(inputs) : branches.ImportCase(inputs);
}

Result<ir::ValueId> ConditionOf(GraphAssembler& assembler, const std::string& name, const TfValue& value) {
  if (value.tensor == ir::kNoValue) return Unsupported("the condition is no tensor");
  const ir::Value& tensor = assembler.graph().value(value.tensor);
  if (tensor.is_static() && tensor.elements() != 1)
    return Unsupported("the condition has {} elements, expected one", tensor.elements());
  if (tensor.dtype == DType::kBool) return value.tensor;
  ir::Builder build = assembler.BuilderFor({name, "NotEqual", 0}, name);
  return build.Checked(build.Cast(value.tensor, DType::kBool));
}

TfValues FromAround(TfValues values) {
  for (TfValue& value : values) value.is_outer = true;
  return values;
}

Status OperatorInside() { return Unsupported("an operator inside it"); }

}  // namespace micrort::frontend::tensorflow
