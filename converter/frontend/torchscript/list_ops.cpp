// Lists and tuples.

#include <algorithm>
#include <cstdlib>

#include "converter/frontend/torchscript/decided_by_run.h"
#include "converter/frontend/torchscript/plain_ops.h"

namespace micrort::frontend::torchscript {

namespace {

// A list of more elements is no part of a model.
constexpr size_t kMaxListElements = size_t{1} << 20;

// Python's slice.
std::vector<Value> SliceOf(const std::vector<Value>& items, const Arguments& a) {
  const auto size = static_cast<int64_t>(items.size());
  const auto given = [&](size_t i) { return i < a.size() && a[i].is_known_int(); };
  const int64_t wanted = given(3) ? a[3].integer : 1;
  const bool backwards = wanted < 0;
  // Between before the first element and behind the last one, as the direction has it.
  const auto bound = [&](size_t i, int64_t otherwise) {
    if (!given(i)) return otherwise;
    const int64_t v = a[i].integer < 0 ? a[i].integer + size : a[i].integer;
    return backwards ? std::clamp<int64_t>(v, -1, size - 1) : std::clamp<int64_t>(v, 0, size);
  };
  const int64_t start = bound(1, backwards ? size - 1 : 0), end = bound(2, backwards ? -1 : size);
  const int64_t step = std::clamp<int64_t>(wanted, -size - 1, size + 1);
  std::vector<Value> part;
  const int64_t distance = backwards ? start - end : end - start;
  if (distance > 0) part.reserve(static_cast<size_t>((distance - 1) / std::abs(step) + 1));
  for (int64_t i = start; backwards ? i > end : i < end; i += step)
    part.push_back(items[static_cast<size_t>(i)]);
  return part;
}

Status TooMany() { return Unsupported("a list of more than {} elements", kMaxListElements); }

bool AreNumbers(const std::vector<Value>& items) {
  return std::all_of(items.begin(), items.end(), IsPlainNumber);
}

bool AreTexts(const std::vector<Value>& items) {
  return std::all_of(items.begin(), items.end(), [](const Value& v) { return v.Is(Kind::kString); });
}

// Numbers by size, strings by their bytes, tuples by the first elements that differ.
bool IsLess(const Value& a, const Value& b) {
  if (a.Is(Kind::kTuple)) {
    return std::lexicographical_compare(a.items->begin(), a.items->end(), b.items->begin(), b.items->end(),
                                        IsLess);
  }
  return a.Is(Kind::kString) ? a.text.str() < b.text.str() : a.AsDouble() < b.AsDouble();
}

// Numbers, strings, or tuples of as many of these, each kind in its place.
bool HaveOrder(const std::vector<Value>& items) {
  if (AreNumbers(items) || AreTexts(items)) return true;
  for (const Value& item : items) {
    if (!item.Is(Kind::kTuple) || item.items->size() != items[0].items->size()) return false;
    for (size_t i = 0; i < item.items->size(); ++i) {
      const std::vector<Value> pair = {(*items[0].items)[i], (*item.items)[i]};
      if (!AreNumbers(pair) && !AreTexts(pair)) return false;
    }
  }
  return true;
}

Result<size_t> Position(const std::vector<Value>& items, const Value& at) {
  const auto size = static_cast<int64_t>(items.size());
  const int64_t i = at.integer < 0 ? at.integer + size : at.integer;
  if (!at.is_known_int())
    return Unsupported("an element at {}{}", at.is_computed() ? "a position" : KindName(at.kind),
                       ThatARunDecides(at));
  if (i < 0 || i >= size) return Invalid("no element {} in a list of {}", at.integer, items.size());
  return static_cast<size_t>(i);
}

// Removes an element by value or place, and returns it.
Result<Value> RemoveItem(const std::string& op, const Arguments& a) {
  std::vector<Value>& items = *a[0].items;
  size_t at = 0;
  if (op == "remove") {
    at = static_cast<size_t>(std::find(items.begin(), items.end(), a.back()) - items.begin());
    if (at == items.size()) return Invalid("a list has no such element");
  } else {
    MICRORT_ASSIGN_OR_RETURN(at, Position(items, a.size() > 1 ? a[1] : Value::Int(-1)));
  }
  Value item = std::move(items[at]);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
  return op == "pop" ? item : Value();
}

// What changes a list does so for everyone who has it.
Answer ChangeList(const std::string& op, const Arguments& a) {
  std::vector<Value>& items = *a[0].items;
  const Value& last = a.back();
  if (op == "append" && a.size() == 2) {
    items.push_back(Value(last));
    return a[0];
  }
  if ((op == "extend" || op == "add_") && a.size() == 2 && last.is_sequence()) {
    const std::vector<Value> added = *last.items;
    items.insert(items.end(), added.begin(), added.end());
    return a[0];
  }
  if (op == "pop" || ((op == "remove" || op == "Delete") && a.size() == 2)) return RemoveItem(op, a);
  if (op == "_set_item" && a.size() == 3) {
    MICRORT_ASSIGN_OR_RETURN(const size_t at, Position(items, a[1]));
    items[at] = last;
    return a[0];
  }
  if (op == "insert" && a.size() == 3 && a[1].is_known_int()) {
    const auto size = static_cast<int64_t>(items.size());
    const int64_t at = std::clamp<int64_t>(a[1].integer < 0 ? a[1].integer + size : a[1].integer, 0, size);
    items.insert(items.begin() + at, Value(last));
  } else if (op == "clear") {
    items.clear();
  } else if (op == "reverse") {
    std::reverse(items.begin(), items.end());
  } else if (op == "sort" && HaveOrder(items)) {
    const bool falls = a.size() > 1 && last == Value::Bool(true);
    std::stable_sort(items.begin(), items.end(),
                     [falls](const Value& p, const Value& q) { return falls ? IsLess(q, p) : IsLess(p, q); });
  } else {
    return std::nullopt;
  }
  return Value();
}

// Other lists.
Answer DeriveList(const std::string& op, const Arguments& a) {
  const std::vector<Value>& items = *a[0].items;
  const Value& last = a.back();
  if (op == "list" || op == "copy") return Value::Sequence(Kind::kList, items);
  if (op == "dict") return MakeDict(items);
  if (op == "slice") {
    for (size_t i = 1; i < a.size(); ++i) {
      if (!a[i].is_computed()) continue;
      return Unsupported("a part of a list from or to a position{}", ThatARunDecides(a[i]));
    }
    if (a.size() > 3 && a[3] == Value::Int(0)) return Invalid("a slice with step 0");
    return Value::Sequence(a[0].kind, SliceOf(items, a));
  }
  if (op == "add" && a.size() == 2 && last.is_sequence()) {
    std::vector<Value> all;
    all.reserve(items.size() + last.items->size());
    all.insert(all.end(), items.begin(), items.end());
    all.insert(all.end(), last.items->begin(), last.items->end());
    return Value::Sequence(a[0].kind, std::move(all));
  }
  if (op == "mul" && a.size() == 2 && last.is_known_int()) {
    const int64_t count = std::max<int64_t>(last.integer, 0);
    if (count > 0 && items.size() > kMaxListElements / static_cast<size_t>(count)) return TooMany();
    std::vector<Value> all;
    all.reserve(items.size() * static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) all.insert(all.end(), items.begin(), items.end());
    return Value::Sequence(a[0].kind, std::move(all));
  }
  if (op == "sorted" && HaveOrder(items)) {
    Value sorted = Value::Sequence(Kind::kList, items);
    MICRORT_RETURN_IF_ERROR(ChangeList("sort", {sorted}).status());
    return sorted;
  }
  return std::nullopt;
}

Answer Summarize(const std::string& op, const std::vector<Value>& items) {
  if (!AreNumbers(items)) return std::nullopt;
  if (op == "sum") {
    std::optional<Value> sum = Value::Int(0);
    for (size_t i = 0; i < items.size() && sum; ++i) {
      MICRORT_ASSIGN_OR_RETURN(sum, NumberOp("add", {*sum, items[i]}));
    }
    return sum;
  }
  const auto is_true = [](const Value& v) { return v.AsDouble() != 0; };
  if (op == "all") return Value::Bool(std::all_of(items.begin(), items.end(), is_true));
  if (op == "any") return Value::Bool(std::any_of(items.begin(), items.end(), is_true));
  if (op == "min" && !items.empty()) return *std::min_element(items.begin(), items.end(), IsLess);
  if (op == "max" && !items.empty()) return *std::max_element(items.begin(), items.end(), IsLess);
  return std::nullopt;
}

Answer AskList(const std::string& op, const Arguments& a) {
  const std::vector<Value>& items = *a[0].items;
  const Value& last = a.back();
  if (op == "len") return Value::Int(static_cast<int64_t>(items.size()));
  if (a.size() == 1) return Summarize(op, items);
  if (op == "eq" || op == "ne") return Value::Bool((a[0] == last) == (op == "eq"));
  const bool can_be_found = op == "__contains__" || last.tensor == nullptr;
  if (!can_be_found || (op != "__contains__" && op != "index" && op != "count")) return std::nullopt;
  const auto count = std::count(items.begin(), items.end(), last);
  if (op == "count") return Value::Int(count);
  if (op == "__contains__") return Value::Bool(count != 0);
  if (count == 0) return Invalid("a list has no such element");
  return Value::Int(std::find(items.begin(), items.end(), last) - items.begin());
}

}  // namespace

Answer ListOp(const std::string& op, const Arguments& a) {
  const Value& last = a.back();
  const size_t more = last.is_sequence() ? last.items->size() : 1;
  if (a[0].items->size() + more > kMaxListElements) return TooMany();
  for (const auto group : {ChangeList, DeriveList, AskList}) {
    MICRORT_ASSIGN_OR_RETURN(std::optional<Value> answer, group(op, a));
    if (answer) return answer;
  }
  return std::nullopt;
}

}  // namespace micrort::frontend::torchscript
