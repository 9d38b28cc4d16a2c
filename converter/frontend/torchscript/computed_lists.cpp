#include "converter/frontend/torchscript/computed_lists.h"

#include <algorithm>
#include <set>

#include "converter/frontend/torchscript/decided_by_run.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr size_t kMaxSorted = 16;  // each two of them are compared
constexpr size_t kMaxComputed = 1024;

bool IsFalse(const Value& v) { return !v.is_computed() && v.integer == 0; }
bool IsTrue(const Value& v) { return !v.is_computed() && v.integer != 0; }

bool AreScalars(const std::vector<Value>& items) {
  return std::all_of(items.begin(), items.end(), [](const Value& v) { return v.is_scalar(); });
}

}  // namespace

bool ComputedLists::Concerns(const std::string& op, const std::vector<Value>& arguments) {
  static const std::set<std::string> kOps = {"eq",           "ne",    "lt",     "le",   "gt",    "ge",
                                             "__contains__", "min",   "max",    "sum",  "all",   "any",
                                             "index",        "count", "remove", "sort", "sorted"};
  return kOps.count(op) != 0 && !arguments.empty() && arguments[0].is_sequence() &&
         std::any_of(arguments.begin(), arguments.end(), HoldsUndecided);
}

Status ComputedLists::Call(const std::string& op, const std::vector<Value>& arguments, Value* out) {
  const std::vector<Value>& items = *arguments[0].items;
  if ((op == "eq" || op == "ne") && arguments.size() == 2) {
    MICRORT_RETURN_IF_ERROR(Same(arguments[0], arguments[1], out));
    const Value same = *out;
    return op == "eq" ? Status() : calls_.Call("aten::__not__", {same}, {}, out);
  }
  if (op == "__contains__" && arguments.size() == 2) return Contains(items, arguments[1], out);
  const bool sorts = op == "sort" || op == "sorted";
  if (sorts && AreScalars(items) && items.size() <= kMaxSorted) {
    const bool falls = arguments.size() > 1 && IsTrue(arguments[1]);
    if (op == "sort") return Sort(falls, arguments[0].items.get());
    *out = Value::Sequence(Kind::kList, items);
    return Sort(falls, out->items.get());
  }
  const bool sums_up = op == "min" || op == "max" || op == "sum" || op == "all" || op == "any";
  if (sums_up && arguments.size() == 1 && AreScalars(items) && items.size() <= kMaxComputed)
    return Summary(op, items, out);
  return Unsupported("'{}' of a list with numbers that a run decides", op);
}

Status ComputedLists::Same(const Value& a, const Value& b, Value* out) {
  if (++elements_ > kMaxComputed)
    return Unsupported("a list of more than {} elements with numbers that a run decides", kMaxComputed);
  *out = Value::Bool(a == b);
  if (a.is_scalar() && b.is_scalar() && (a.is_computed() || b.is_computed()))
    return calls_.Call("aten::eq", {a, b}, {}, out);
  if (!a.is_comparable() || !b.is_comparable()) {
    return a.kind != b.kind ? Status() : Unsupported("a text that a run decides is compared");
  }
  if (!a.is_sequence() || !b.is_sequence() || a.items->size() != b.items->size()) return Status();
  *out = Value::Bool(true);
  for (size_t i = 0; i < a.items->size() && !IsFalse(*out); ++i) {
    Value same;
    const Value before = *out;
    MICRORT_RETURN_IF_ERROR(Same((*a.items)[i], (*b.items)[i], &same));
    MICRORT_RETURN_IF_ERROR(And(before, same, out));
  }
  return Status();
}

Status ComputedLists::Contains(const std::vector<Value>& items, const Value& wanted, Value* out) {
  *out = Value::Bool(false);
  for (size_t i = 0; i < items.size() && !IsTrue(*out); ++i) {
    Value same;
    const Value before = *out;
    MICRORT_RETURN_IF_ERROR(Same(items[i], wanted, &same));
    MICRORT_RETURN_IF_ERROR(Or(before, same, out));
  }
  return Status();
}

Status ComputedLists::Summary(const std::string& op, const std::vector<Value>& items, Value* out) {
  const bool are_bools = op == "all" || op == "any";
  for (size_t i = 0; i < items.size(); ++i) {
    Value item = items[i];
    if (are_bools) MICRORT_RETURN_IF_ERROR(calls_.Call("aten::Bool", {items[i]}, {}, &item));
    const Value before = *out;
    if (i == 0) {
      *out = item;
    } else if (are_bools) {
      MICRORT_RETURN_IF_ERROR(op == "all" ? And(before, item, out) : Or(before, item, out));
    } else {
      MICRORT_RETURN_IF_ERROR(
          calls_.Call(op == "sum" ? "aten::add" : "prim::" + op, {before, item}, {}, out));
    }
  }
  return Status();
}

// Each number is exchanged with those behind it that have to come before.
Status ComputedLists::Sort(bool falls, std::vector<Value>* items) {
  const char* const first = falls ? "prim::max" : "prim::min";
  const char* const last = falls ? "prim::min" : "prim::max";
  for (size_t i = 0; i < items->size(); ++i) {
    for (size_t j = i + 1; j < items->size(); ++j) {
      const Value a = (*items)[i], b = (*items)[j];
      MICRORT_RETURN_IF_ERROR(calls_.Call(first, {a, b}, {}, &(*items)[i]));
      MICRORT_RETURN_IF_ERROR(calls_.Call(last, {a, b}, {}, &(*items)[j]));
    }
  }
  return Status();
}

Status ComputedLists::And(const Value& a, const Value& b, Value* out) {
  if (a.is_computed() && b.is_computed()) return calls_.Call("aten::__and__", {a, b}, {}, out);
  const Value& known = a.is_computed() ? b : a;
  *out = IsFalse(known) ? known : &known == &a ? b : a;
  return Status();
}

Status ComputedLists::Or(const Value& a, const Value& b, Value* out) {
  if (a.is_computed() && b.is_computed()) return calls_.Call("aten::__or__", {a, b}, {}, out);
  const Value& known = a.is_computed() ? b : a;
  *out = IsTrue(known) ? known : &known == &a ? b : a;
  return Status();
}

}  // namespace micrort::frontend::torchscript
