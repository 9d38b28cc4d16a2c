// Statements of the code.

#include <vector>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/scalar_ops.h"

namespace micrort::frontend::torchscript {

namespace {

// Statements that are run, of loops as often as they iterate; no real model comes near.
constexpr int64_t kMaxWork = 1000000;

}  // namespace

Status Evaluator::CountWork() {
  if (++work_ <= kMaxWork) return Status();
  return MICRORT_ERROR(kUnsupported, "more than %lld statements are run; is there a loop without an end?",
                       static_cast<long long>(kMaxWork));
}

Status Evaluator::Exec(const std::vector<Stmt>& block, Flow* flow) {
  for (const Stmt& stmt : block) {
    frame_->line = stmt.line;
    MICRORT_RETURN_IF_ERROR(CountWork());
    MICRORT_RETURN_IF_ERROR(ExecStatement(stmt, flow));
    if (*flow == Flow::kReturn) return Status();
  }
  return Status();
}

Status Evaluator::ExecStatement(const Stmt& stmt, Flow* flow) {
  switch (stmt.kind) {
    case StmtKind::kPass:
      return Status();
    case StmtKind::kExpr: {
      Value ignored;
      return Eval(stmt.value, &ignored);
    }
    case StmtKind::kAssign:
      return Assign(stmt);
    case StmtKind::kReturn:
      *flow = Flow::kReturn;
      return Eval(stmt.value, &frame_->result);
    case StmtKind::kIf:
      return ExecIf(stmt, flow);
    case StmtKind::kFor:
      return ExecFor(stmt, flow);
    case StmtKind::kWhile:
      return ExecWhile(stmt, flow);
  }
  return Status();
}

Status Evaluator::Assign(const Stmt& stmt) {
  Value value;
  MICRORT_RETURN_IF_ERROR(Eval(stmt.value, &value));
  if (!stmt.is_unpacking) return AssignTo(stmt.targets[0], value);
  std::vector<Value> items;
  if (value.Is(Kind::kUnreachable)) {
    items.assign(stmt.targets.size(), value);
  } else if (value.is_sequence()) {
    items = *value.items;
  } else if (value.Is(Kind::kObject)) {  // a named tuple
    for (const auto& [name, item] : value.object->attributes) items.push_back(item);
  } else {
    return MICRORT_ERROR(kInvalidModel, "%s is taken apart", KindName(value.kind));
  }
  if (items.size() != stmt.targets.size()) {
    return MICRORT_ERROR(kInvalidModel, "%zu names for %zu values", stmt.targets.size(), items.size());
  }
  for (size_t i = 0; i < items.size(); ++i) MICRORT_RETURN_IF_ERROR(AssignTo(stmt.targets[i], items[i]));
  return Status();
}

Status Evaluator::AssignTo(const Expr& target, const Value& value) {
  if (target.kind == ExprKind::kName) {
    frame_->names[target.text] = value;
    return Status();
  }
  Value container;
  if (target.kind == ExprKind::kAttribute) {
    MICRORT_RETURN_IF_ERROR(Eval(target.parts[0], &container));
    if (container.Is(Kind::kObject)) {
      MICRORT_RETURN_IF_ERROR(frozen_.CheckMayChange(container));
      container.object->Set(target.text, value);
      return Status();
    }
  } else if (target.kind == ExprKind::kSubscript) {
    MICRORT_RETURN_IF_ERROR(Eval(target.parts[0], &container));
    Value key, nothing;
    MICRORT_RETURN_IF_ERROR(Eval(target.parts[1], &key));
    bool handled = false;
    MICRORT_RETURN_IF_ERROR(frozen_.CheckMayChange(container));
    MICRORT_RETURN_IF_ERROR(RunScalarOp("_set_item", {container, key, value}, &nothing, &handled));
    if (handled) return Status();
  }
  return MICRORT_ERROR(kUnsupported, "an assignment to what is no name, attribute or element");
}

Status Evaluator::Truth(const Value& value, bool* is_known, bool* truth) {
  *is_known = true;
  if (value.is_tensor() || value.is_computed()) {
    Value converted;
    MICRORT_RETURN_IF_ERROR(Convert(Kind::kBool, value, &converted));
    *is_known = !converted.is_computed();
    *truth = converted.integer != 0;
    return Status();
  }
  if (!value.is_scalar()) return MICRORT_ERROR(kInvalidModel, "a condition is %s", KindName(value.kind));
  *truth = value.AsDouble() != 0;
  return Status();
}

Status Evaluator::ExecIf(const Stmt& stmt, Flow* flow) {
  Value condition;
  MICRORT_RETURN_IF_ERROR(Eval(stmt.value, &condition));
  if (condition.Is(Kind::kUnreachable)) return UnsupportedNodes(*diagnostics_);
  bool is_known = false, truth = false;
  MICRORT_RETURN_IF_ERROR(Truth(condition, &is_known, &truth));
  if (is_known) return Exec(truth ? stmt.body : stmt.otherwise, flow);
  return ExecBranches(stmt, condition);
}

Status Evaluator::ExecFor(const Stmt& stmt, Flow* flow) {
  std::vector<Value> items;
  const bool is_range = stmt.value.kind == ExprKind::kCall && stmt.value.parts[0].text == "range";
  if (is_range) {
    std::vector<Value> bounds;
    Keywords none;
    MICRORT_RETURN_IF_ERROR(EvalArguments(stmt.value, 1, &bounds, &none));
    if (bounds.size() == 1 && bounds[0].is_computed()) return ExecLoop(stmt, bounds[0], Value::Bool(true));
    for (const Value& bound : bounds) {
      if (bound.Is(Kind::kUnreachable)) return UnsupportedNodes(*diagnostics_);
      if (!bound.is_known_int()) {
        return MICRORT_ERROR(kUnsupported, "a range whose ends or steps depend on the values of inputs");
      }
    }
    if (bounds.empty() || bounds.size() > 3)
      return MICRORT_ERROR(kInvalidModel, "a range of %zu numbers", bounds.size());
    const int64_t begin = bounds.size() > 1 ? bounds[0].integer : 0;
    const int64_t end = bounds.size() > 1 ? bounds[1].integer : bounds[0].integer;
    const int64_t step = bounds.size() > 2 ? bounds[2].integer : 1;
    if (step == 0) return MICRORT_ERROR(kInvalidModel, "a range with steps of 0");
    for (int64_t i = begin; step > 0 ? i < end : i > end;) {
      MICRORT_RETURN_IF_ERROR(CountWork());
      items.push_back(Value::Int(i));
      if (__builtin_add_overflow(i, step, &i)) break;
    }
  } else {
    Value list;
    MICRORT_RETURN_IF_ERROR(Eval(stmt.value, &list));
    if (list.Is(Kind::kUnreachable)) return UnsupportedNodes(*diagnostics_);
    if (!list.is_sequence()) return MICRORT_ERROR(kUnsupported, "a loop over %s", KindName(list.kind));
    items = *list.items;
  }
  for (const Value& item : items) {
    if (!stmt.is_unpacking) {
      MICRORT_RETURN_IF_ERROR(AssignTo(stmt.targets[0], item));
    } else {
      if (!item.is_sequence() || item.items->size() != stmt.targets.size()) {
        return MICRORT_ERROR(kInvalidModel, "%zu names for %s", stmt.targets.size(), KindName(item.kind));
      }
      for (size_t i = 0; i < stmt.targets.size(); ++i) {
        MICRORT_RETURN_IF_ERROR(AssignTo(stmt.targets[i], (*item.items)[i]));
      }
    }
    MICRORT_RETURN_IF_ERROR(Exec(stmt.body, flow));
    if (*flow == Flow::kReturn) return Status();
  }
  return Status();
}

Status Evaluator::ExecWhile(const Stmt& stmt, Flow* flow) {
  for (;;) {
    MICRORT_RETURN_IF_ERROR(CountWork());
    frame_->line = stmt.line;
    Value condition;
    MICRORT_RETURN_IF_ERROR(Eval(stmt.value, &condition));
    if (condition.Is(Kind::kUnreachable)) return UnsupportedNodes(*diagnostics_);
    bool is_known = false, truth = false;
    MICRORT_RETURN_IF_ERROR(Truth(condition, &is_known, &truth));
    if (!is_known) return ExecLoop(stmt, Value(), condition);
    if (!truth) return Status();
    MICRORT_RETURN_IF_ERROR(Exec(stmt.body, flow));
    if (*flow == Flow::kReturn) return Status();
  }
}

}  // namespace micrort::frontend::torchscript
