#include "converter/frontend/torchscript/statement_runner.h"

#include <utility>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/branch_importer.h"
#include "converter/frontend/torchscript/loop_importer.h"
#include "converter/frontend/torchscript/numbers.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsRange(const Expr& expr) { return expr.kind == ExprKind::kCall && expr.parts[0].text == "range"; }

// The values that are taken apart: elements, or the attributes of a named tuple.
Result<std::vector<Value>> TakeApart(const Value& value, size_t count) {
  std::vector<Value> items;
  if (value.Is(Kind::kUnreachable)) {
    items.assign(count, value);
  } else if (value.is_sequence()) {
    items = *value.items;
  } else if (value.Is(Kind::kObject)) {
    for (const auto& [name, item] : value.object->attributes) items.push_back(item);
  } else {
    return Invalid("{} is taken apart", KindName(value.kind));
  }
  if (items.size() != count) return Invalid("{} names for {} values", count, items.size());
  return items;
}

}  // namespace

Status StatementRunner::RunFunction() {
  bool returned = false;
  return RunBlock(state_.frame->function->body, &returned);
}

Status StatementRunner::RunInside(const std::vector<Stmt>& block, const char* what) {
  bool returned = false;
  MICRORT_RETURN_IF_ERROR(RunBlock(block, &returned));
  return !returned ? Status() : Unsupported("a return inside a {} that the values of inputs decide", what);
}

Status StatementRunner::RunBlock(const std::vector<Stmt>& block, bool* returned) {
  for (const Stmt& stmt : block) {
    state_.frame->line = stmt.line;
    MICRORT_RETURN_IF_ERROR(state_.CountStatement());
    MICRORT_RETURN_IF_ERROR(Run(stmt, returned));
    if (*returned) return Status();
  }
  return Status();
}

Status StatementRunner::Run(const Stmt& stmt, bool* returned) {
  switch (stmt.kind) {
    case StmtKind::kPass:
      return Status();
    case StmtKind::kExpr:
      return evaluator_.Eval(stmt.value).status();
    case StmtKind::kAssign:
      return Assign(stmt);
    case StmtKind::kReturn:
      *returned = true;
      return Take(evaluator_.Eval(stmt.value), &state_.frame->result);
    case StmtKind::kIf:
      return RunIf(stmt, returned);
    case StmtKind::kFor:
      return RunFor(stmt, returned);
    case StmtKind::kWhile:
      return RunWhile(stmt, returned);
    case StmtKind::kWith:
      return RunWith(stmt, returned);
    case StmtKind::kDef:
      state_.frame->local_functions[stmt.targets[0].text] = &stmt;
      return Status();
  }
  return Status();
}

Status StatementRunner::Assign(const Stmt& stmt) {
  MICRORT_ASSIGN_OR_RETURN(const Value value, evaluator_.Eval(stmt.value));
  if (!stmt.is_unpacking) return AssignTo(stmt.targets[0], value);
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(WorkOfCopy(value)));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<Value> items, TakeApart(value, stmt.targets.size()));
  for (size_t i = 0; i < items.size(); ++i) MICRORT_RETURN_IF_ERROR(AssignTo(stmt.targets[i], items[i]));
  return Status();
}

Status StatementRunner::AssignTo(const Expr& target, const Value& value) {
  if (target.kind == ExprKind::kName) {
    state_.frame->names[target.text] = value;
    return Status();
  }
  Value container;
  if (target.kind == ExprKind::kAttribute) {
    MICRORT_ASSIGN_OR_RETURN(container, evaluator_.Eval(target.parts[0]));
    if (container.Is(Kind::kObject)) return state_.SetAttribute(container, target.text, value);
  } else if (target.kind == ExprKind::kSubscript) {
    MICRORT_ASSIGN_OR_RETURN(container, evaluator_.Eval(target.parts[0]));
    MICRORT_ASSIGN_OR_RETURN(const Value key, evaluator_.Eval(target.parts[1]));
    MICRORT_RETURN_IF_ERROR(state_.frozen.CheckMayChange(container));
    MICRORT_RETURN_IF_ERROR(state_.CheckInsertion(key, container));
    MICRORT_RETURN_IF_ERROR(state_.CheckInsertion(value, container));
    if (container.Is(Kind::kDict)) MICRORT_RETURN_IF_ERROR(state_.CheckNesting(container));
    MICRORT_ASSIGN_OR_RETURN(const std::optional<Value> set,
                             state_.RunPlainOp("_set_item", {container, key, value}));
    if (set) return Status();
  }
  return Unsupported("an assignment to what is no name, attribute or element");
}

Result<Value> StatementRunner::EvalDeciding(const Expr& expr) {
  MICRORT_ASSIGN_OR_RETURN(Value value, evaluator_.Eval(expr));
  if (value.Is(Kind::kUnreachable)) MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*state_.diagnostics));
  return value;
}

Status StatementRunner::RunIf(const Stmt& stmt, bool* returned) {
  MICRORT_ASSIGN_OR_RETURN(const Value condition, EvalDeciding(stmt.value));
  MICRORT_ASSIGN_OR_RETURN(const std::optional<bool> truth, Numbers(state_).Truth(condition));
  if (truth) return RunBlock(*truth ? stmt.body : stmt.otherwise, returned);
  return BranchImporter(evaluator_, stmt, condition).Import();
}

// PyTorch's own contexts (no_grad, record_function, autocast) change no value that a run computes.
Status StatementRunner::RunWith(const Stmt& stmt, bool* returned) {
  MICRORT_ASSIGN_OR_RETURN(const Value context, evaluator_.Eval(stmt.value));
  if (!context.Is(Kind::kObject))
    return Invalid("with: expected an object, found {}", KindName(context.kind));
  const bool has_effect = context.object->class_name.compare(0, 16, "__torch__.torch.") != 0;
  Value entered = context;
  if (has_effect) MICRORT_RETURN_IF_ERROR(Take(evaluator_.CallMethod(context, "__enter__", {}), &entered));
  if (!stmt.targets.empty()) MICRORT_RETURN_IF_ERROR(AssignTo(stmt.targets[0], entered));
  MICRORT_RETURN_IF_ERROR(RunBlock(stmt.body, returned));
  if (!has_effect) return Status();
  return evaluator_.CallMethod(context, "__exit__", {Value(), Value(), Value()}).status();
}

Result<Value> StatementRunner::RunLocalFunction(const std::string& name) {
  const auto found = state_.frame->local_functions.find(name);
  if (found == state_.frame->local_functions.end())
    return Invalid("fork: there is no function '{}'", Shown(name));
  const Names names = state_.frame->names;
  const Value result = std::exchange(state_.frame->result, Value());
  bool returned = false;
  MICRORT_RETURN_IF_ERROR(RunBlock(found->second->body, &returned));
  state_.frame->names = names;
  return std::exchange(state_.frame->result, result);
}

Status StatementRunner::RunFor(const Stmt& stmt, bool* returned) {
  std::vector<Value> items;
  if (IsRange(stmt.value)) {
    std::vector<Value> bounds;
    Keywords none;
    MICRORT_RETURN_IF_ERROR(evaluator_.EvalArguments(stmt.value, 1, &bounds, &none));
    if (bounds.size() == 1 && bounds[0].is_computed())
      return LoopImporter(evaluator_, stmt, bounds[0], Value::Bool(true)).Import();
    MICRORT_ASSIGN_OR_RETURN(items, RangeOf(bounds));
  } else {
    MICRORT_ASSIGN_OR_RETURN(items, ItemsOf(stmt.value));
  }
  for (const Value& item : items) {
    MICRORT_RETURN_IF_ERROR(AssignItem(stmt, item));
    MICRORT_RETURN_IF_ERROR(RunBlock(stmt.body, returned));
    if (*returned) return Status();
  }
  return Status();
}

Result<std::vector<Value>> StatementRunner::RangeOf(const std::vector<Value>& bounds) {
  for (const Value& bound : bounds) {
    if (bound.Is(Kind::kUnreachable)) return UnsupportedNodes(*state_.diagnostics);
    if (!bound.is_known_int())
      return Unsupported("a range whose ends or steps depend on the values of inputs");
  }
  if (bounds.empty() || bounds.size() > 3) return Invalid("a range of {} numbers", bounds.size());
  const int64_t begin = bounds.size() > 1 ? bounds[0].integer : 0;
  const int64_t end = bounds.size() > 1 ? bounds[1].integer : bounds[0].integer;
  const int64_t step = bounds.size() > 2 ? bounds[2].integer : 1;
  if (step == 0) return Invalid("a range with steps of 0");
  std::vector<Value> items;
  for (int64_t i = begin; step > 0 ? i < end : i > end;) {
    MICRORT_RETURN_IF_ERROR(state_.CountStatement());
    items.push_back(Value::Int(i));
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  return items;
}

Result<std::vector<Value>> StatementRunner::ItemsOf(const Expr& list) {
  MICRORT_ASSIGN_OR_RETURN(const Value value, EvalDeciding(list));
  if (!value.is_sequence()) return Unsupported("a loop over {}", KindName(value.kind));
  MICRORT_RETURN_IF_ERROR(state_.meter.Spend(WorkOfCopy(value)));
  return *value.items;
}

Status StatementRunner::AssignItem(const Stmt& loop, const Value& item) {
  if (!loop.is_unpacking) return AssignTo(loop.targets[0], item);
  if (!item.is_sequence() || item.items->size() != loop.targets.size())
    return Invalid("{} names for {}", loop.targets.size(), KindName(item.kind));
  for (size_t i = 0; i < loop.targets.size(); ++i)
    MICRORT_RETURN_IF_ERROR(AssignTo(loop.targets[i], (*item.items)[i]));
  return Status();
}

Status StatementRunner::RunWhile(const Stmt& stmt, bool* returned) {
  for (;;) {
    MICRORT_RETURN_IF_ERROR(state_.CountStatement());
    state_.frame->line = stmt.line;
    MICRORT_ASSIGN_OR_RETURN(const Value condition, EvalDeciding(stmt.value));
    MICRORT_ASSIGN_OR_RETURN(const std::optional<bool> truth, Numbers(state_).Truth(condition));
    if (!truth) return LoopImporter(evaluator_, stmt, Value(), condition).Import();
    if (!*truth) return Status();
    MICRORT_RETURN_IF_ERROR(RunBlock(stmt.body, returned));
    if (*returned) return Status();
  }
}

}  // namespace micrort::frontend::torchscript
