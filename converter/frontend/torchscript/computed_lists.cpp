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

Result<Value> ComputedLists::Call(const std::string& op, const std::vector<Value>& arguments) {
  const std::vector<Value>& items = *arguments[0].items;
  if ((op == "eq" || op == "ne") && arguments.size() == 2) {
    MICRORT_ASSIGN_OR_RETURN(Value same, Same(arguments[0], arguments[1]));
    return op == "eq" ? same : calls_.Call("aten::__not__", {same}, {});
  }
  if (op == "__contains__" && arguments.size() == 2) return Contains(items, arguments[1]);
  const bool sorts = op == "sort" || op == "sorted";
  if (sorts && AreScalars(items) && items.size() <= kMaxSorted) {
    const bool falls = arguments.size() > 1 && IsTrue(arguments[1]);
    Value sorted = op == "sort" ? arguments[0] : Value::Sequence(Kind::kList, items);
    MICRORT_RETURN_IF_ERROR(Sort(falls, sorted.items.get()));
    return op == "sort" ? Value() : sorted;
  }
  const bool sums_up = op == "min" || op == "max" || op == "sum" || op == "all" || op == "any";
  if (sums_up && arguments.size() == 1 && AreScalars(items) && items.size() <= kMaxComputed)
    return Summary(op, items);
  return Unsupported("'{}' of a list with numbers that a run decides", op);
}

Result<Value> ComputedLists::Same(const Value& a, const Value& b) {
  if (++elements_ > kMaxComputed)
    return Unsupported("a list of more than {} elements with numbers that a run decides", kMaxComputed);
  if (a.is_scalar() && b.is_scalar() && (a.is_computed() || b.is_computed()))
    return calls_.Call("aten::eq", {a, b}, {});
  if ((!a.is_comparable() || !b.is_comparable()) && a.kind == b.kind)
    return Unsupported("a text that a run decides is compared");
  if (!a.is_sequence() || !b.is_sequence() || a.items->size() != b.items->size()) return Value::Bool(a == b);
  Value all = Value::Bool(true);
  for (size_t i = 0; i < a.items->size() && !IsFalse(all); ++i) {
    MICRORT_ASSIGN_OR_RETURN(const Value same, Same((*a.items)[i], (*b.items)[i]));
    MICRORT_ASSIGN_OR_RETURN(all, And(all, same));
  }
  return all;
}

Result<Value> ComputedLists::Contains(const std::vector<Value>& items, const Value& wanted) {
  Value any = Value::Bool(false);
  for (size_t i = 0; i < items.size() && !IsTrue(any); ++i) {
    MICRORT_ASSIGN_OR_RETURN(const Value same, Same(items[i], wanted));
    MICRORT_ASSIGN_OR_RETURN(any, Or(any, same));
  }
  return any;
}

Result<Value> ComputedLists::Summary(const std::string& op, const std::vector<Value>& items) {
  const auto both = [&](const Value& a, const Value& b) {
    if (op == "all") return And(a, b);
    return op == "any" ? Or(a, b) : calls_.Call(op == "sum" ? "aten::add" : "prim::" + op, {a, b}, {});
  };
  Value all;
  for (size_t i = 0; i < items.size(); ++i) {
    Value item = items[i];
    if (op == "all" || op == "any") {
      MICRORT_ASSIGN_OR_RETURN(item, calls_.Call("aten::Bool", {items[i]}, {}));
    }
    MICRORT_ASSIGN_OR_RETURN(all, i == 0 ? Result<Value>(item) : both(all, item));
  }
  return all;
}

// Each number is exchanged with those behind it that have to come before.
Status ComputedLists::Sort(bool falls, std::vector<Value>* items) {
  const char* const first = falls ? "prim::max" : "prim::min";
  const char* const last = falls ? "prim::min" : "prim::max";
  for (size_t i = 0; i < items->size(); ++i) {
    for (size_t j = i + 1; j < items->size(); ++j) {
      const Value a = (*items)[i], b = (*items)[j];
      MICRORT_ASSIGN_OR_RETURN((*items)[i], calls_.Call(first, {a, b}, {}));
      MICRORT_ASSIGN_OR_RETURN((*items)[j], calls_.Call(last, {a, b}, {}));
    }
  }
  return Status();
}

Result<Value> ComputedLists::And(const Value& a, const Value& b) {
  if (a.is_computed() && b.is_computed()) return calls_.Call("aten::__and__", {a, b}, {});
  const Value& known = a.is_computed() ? b : a;
  return IsFalse(known) ? known : &known == &a ? b : a;
}

Result<Value> ComputedLists::Or(const Value& a, const Value& b) {
  if (a.is_computed() && b.is_computed()) return calls_.Call("aten::__or__", {a, b}, {});
  const Value& known = a.is_computed() ? b : a;
  return IsTrue(known) ? known : &known == &a ? b : a;
}

}  // namespace micrort::frontend::torchscript
