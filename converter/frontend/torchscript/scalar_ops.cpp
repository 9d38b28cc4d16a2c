#include "converter/frontend/torchscript/scalar_ops.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "converter/frontend/common/text.h"

namespace micrort::frontend::torchscript {

namespace {

using Arguments = std::vector<Value>;

bool IsPlainNumber(const Value& v) { return v.is_scalar() && !v.is_computed(); }

int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

// As a signed number of 64 bits does, without undefined behaviour.
int64_t Wrapped(uint64_t v) { return static_cast<int64_t>(v); }

Status NumberOp(const std::string& op, const Value& a, const Value& b, Value* out, bool* handled) {
  const double x = a.AsDouble(), y = b.AsDouble();
  const bool integers = !a.Is(Kind::kFloat) && !b.Is(Kind::kFloat);
  const int64_t i = a.integer, j = b.integer;
  static const std::map<std::string, std::function<bool(double, double)>> kComparisons = {
      {"eq", [](double p, double q) { return p == q; }}, {"ne", [](double p, double q) { return p != q; }},
      {"lt", [](double p, double q) { return p < q; }},  {"le", [](double p, double q) { return p <= q; }},
      {"gt", [](double p, double q) { return p > q; }},  {"ge", [](double p, double q) { return p >= q; }}};
  const auto comparison = kComparisons.find(op);
  if (comparison != kComparisons.end()) {
    *out = Value::Bool(comparison->second(x, y));
    return Status();
  }
  const bool divides = op == "floordiv" || op == "remainder" || op == "div" || op == "floor_divide";
  if (divides && y == 0) return MICRORT_ERROR(kInvalidModel, "division by zero");
  if (divides && integers && j == -1 && op != "div") {
    *out = Value::Int(op == "remainder" ? 0 : Wrapped(0 - static_cast<uint64_t>(i)));
    return Status();
  }
  const auto ui = static_cast<uint64_t>(i), uj = static_cast<uint64_t>(j);
  if (op == "add") {
    *out = integers ? Value::Int(Wrapped(ui + uj)) : Value::Float(x + y);
  } else if (op == "sub") {
    *out = integers ? Value::Int(Wrapped(ui - uj)) : Value::Float(x - y);
  } else if (op == "mul") {
    *out = integers ? Value::Int(Wrapped(ui * uj)) : Value::Float(x * y);
  } else if (op == "div") {
    *out = Value::Float(x / y);
  } else if (op == "floordiv" || op == "floor_divide") {
    *out = integers ? Value::Int(FloorDivide(i, j)) : Value::Float(std::floor(x / y));
  } else if (op == "remainder") {
    *out = integers ? Value::Int(i - FloorDivide(i, j) * j) : Value::Float(x - std::floor(x / y) * y);
  } else if (op == "pow") {
    const double power = std::pow(x, y);
    const bool exact = integers && j >= 0 && std::fabs(power) < 9.0e15;
    *out = exact ? Value::Int(static_cast<int64_t>(power)) : Value::Float(power);
  } else if (op == "min" || op == "max") {
    *out = (op == "min") == (x <= y) ? a : b;
  } else if (integers && (op == "__and__" || op == "__or__" || op == "__xor__")) {
    const int64_t bits = op == "__and__" ? (i & j) : op == "__or__" ? (i | j) : (i ^ j);
    *out = a.Is(Kind::kBool) && b.Is(Kind::kBool) ? Value::Bool(bits != 0) : Value::Int(bits);
  } else {
    *handled = false;
  }
  return Status();
}

Status OneNumberOp(const std::string& op, const Value& a, Value* out, bool* handled) {
  const double x = a.AsDouble();
  const bool is_integer = !a.Is(Kind::kFloat);
  const bool fits = std::fabs(x) < 9.2e18;
  if (op == "neg") {
    *out = is_integer ? Value::Int(Wrapped(0 - static_cast<uint64_t>(a.integer))) : Value::Float(-x);
  } else if (op == "abs") {
    *out = is_integer ? Value::Int(a.integer < 0 ? Wrapped(0 - static_cast<uint64_t>(a.integer)) : a.integer)
                      : Value::Float(std::fabs(x));
  } else if ((op == "floor" || op == "ceil" || op == "round") && fits) {
    const double rounded = op == "floor" ? std::floor(x) : op == "ceil" ? std::ceil(x) : std::nearbyint(x);
    *out = op == "round" && !is_integer ? Value::Float(rounded) : Value::Int(static_cast<int64_t>(rounded));
  } else if (op == "sqrt") {
    *out = Value::Float(std::sqrt(x));
  } else if (op == "exp") {
    *out = Value::Float(std::exp(x));
  } else if (op == "log") {
    *out = Value::Float(std::log(x));
  } else if (op == "__not__") {
    *out = Value::Bool(x == 0);
  } else {
    *handled = false;
  }
  return Status();
}

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
  for (int64_t i = start; backwards ? i > end : i < end; i += step)
    part.push_back(items[static_cast<size_t>(i)]);
  return part;
}

// What changes a list does so for everyone who has it.
Status ListOp(const std::string& op, const Arguments& a, Value* out, bool* handled) {
  std::vector<Value>& items = *a[0].items;
  const Value& last = a.back();
  const size_t more = last.is_sequence() ? last.items->size() : 1;
  if (items.size() + more > kMaxListElements) {
    return MICRORT_ERROR(kUnsupported, "a list of more than %zu elements", kMaxListElements);
  }
  if (op == "len") {
    *out = Value::Int(static_cast<int64_t>(items.size()));
  } else if (op == "append" && a.size() == 2) {
    items.push_back(Value(last));
    *out = a[0];
  } else if ((op == "extend" || op == "add_") && a.size() == 2 && last.is_sequence()) {
    const std::vector<Value> added = *last.items;
    items.insert(items.end(), added.begin(), added.end());
    *out = a[0];
  } else if (op == "insert" && a.size() == 3 && a[1].is_known_int()) {
    const auto size = static_cast<int64_t>(items.size());
    const int64_t at = std::clamp<int64_t>(a[1].integer < 0 ? a[1].integer + size : a[1].integer, 0, size);
    items.insert(items.begin() + at, Value(last));
  } else if (op == "pop" && !items.empty()) {
    const Value at = a.size() > 1 ? a[1] : Value::Int(-1);
    MICRORT_RETURN_IF_ERROR(ElementOf(a[0], at, out));
    items.erase(items.begin() +
                (at.integer < 0 ? at.integer + static_cast<int64_t>(items.size()) : at.integer));
  } else if (op == "clear") {
    items.clear();
  } else if (op == "reverse") {
    std::reverse(items.begin(), items.end());
  } else if (op == "list" || op == "copy") {
    *out = Value::Sequence(Kind::kList, items);
  } else if (op == "slice") {
    if (a.size() > 3 && a[3] == Value::Int(0)) return MICRORT_ERROR(kInvalidModel, "a slice with step 0");
    *out = Value::Sequence(a[0].kind, SliceOf(items, a));
  } else if (op == "add" && a.size() == 2 && last.is_sequence()) {
    *out = Value::Sequence(a[0].kind, items);
    out->items->insert(out->items->end(), last.items->begin(), last.items->end());
  } else if (op == "mul" && a.size() == 2 && last.is_known_int()) {
    const int64_t count = std::max<int64_t>(last.integer, 0);
    if (count > 0 && items.size() > kMaxListElements / static_cast<size_t>(count)) {
      return MICRORT_ERROR(kUnsupported, "a list of more than %zu elements", kMaxListElements);
    }
    *out = Value::Sequence(a[0].kind);
    for (int64_t i = 0; i < count; ++i) out->items->insert(out->items->end(), items.begin(), items.end());
  } else if (op == "__contains__" && a.size() == 2) {
    *out = Value::Bool(std::find(items.begin(), items.end(), last) != items.end());
  } else if ((op == "index" || op == "count") && a.size() == 2 && last.tensor == nullptr) {
    const auto found = std::find(items.begin(), items.end(), last);
    if (op == "index" && found == items.end())
      return MICRORT_ERROR(kInvalidModel, "a list has no such element");
    *out = Value::Int(op == "index" ? found - items.begin() : std::count(items.begin(), items.end(), last));
  } else if (op == "_set_item" && a.size() == 3 && a[1].is_known_int()) {
    const int64_t at = a[1].integer < 0 ? a[1].integer + static_cast<int64_t>(items.size()) : a[1].integer;
    if (at < 0 || at >= static_cast<int64_t>(items.size()))
      return MICRORT_ERROR(kInvalidModel, "no element %lld in a list", static_cast<long long>(at));
    items[static_cast<size_t>(at)] = last;
    *out = a[0];
  } else if ((op == "min" || op == "max") && a.size() == 1 && !items.empty()) {
    *out = items[0];
    for (const Value& item : items) {
      if (!IsPlainNumber(item)) {
        *handled = false;
        return Status();
      }
      if (op == "min" ? item.AsDouble() < out->AsDouble() : item.AsDouble() > out->AsDouble()) *out = item;
    }
  } else if ((op == "eq" || op == "ne") && a.size() == 2) {
    *out = Value::Bool((a[0] == last) == (op == "eq"));
  } else if ((op == "all" || op == "any") && a.size() == 1) {
    *handled = std::all_of(items.begin(), items.end(), IsPlainNumber);
    const auto count =
        std::count_if(items.begin(), items.end(), [](const Value& v) { return v.AsDouble() != 0; });
    *out = Value::Bool(op == "any" ? count > 0 : count == static_cast<std::ptrdiff_t>(items.size()));
  } else if (op == "sum" && a.size() == 1) {
    *out = Value::Int(0);
    for (const Value& item : items) {
      const Value before = *out;
      if (*handled) *handled = IsPlainNumber(item);
      if (*handled) MICRORT_RETURN_IF_ERROR(NumberOp("add", before, item, out, handled));
    }
  } else {
    *handled = false;
  }
  return Status();
}

Status DictOp(const std::string& op, const Arguments& a, Value* out, bool* handled) {
  std::vector<Value>& items = *a[0].items;
  size_t at = items.size();
  for (size_t i = 0; a.size() > 1 && i < items.size(); i += 2) {
    if (items[i] == a[1]) at = i;
  }
  if (op == "len") {
    *out = Value::Int(static_cast<int64_t>(items.size() / 2));
  } else if (op == "__contains__" && a.size() == 2) {
    *out = Value::Bool(at < items.size());
  } else if (op == "_set_item" && a.size() == 3) {
    if (at == items.size()) items.insert(items.end(), {a[1], a[2]});
    items[at + 1] = a[2];
  } else if (op == "get" && a.size() >= 2) {
    *out = at < items.size() ? items[at + 1] : a.size() > 2 ? a[2] : Value();
  } else if (op == "keys" || op == "values" || op == "items") {
    *out = Value::Sequence(Kind::kList);
    for (size_t i = 0; i < items.size(); i += 2) {
      out->items->push_back(op == "keys"     ? items[i]
                            : op == "values" ? items[i + 1]
                                             : Value::Sequence(Kind::kTuple, {items[i], items[i + 1]}));
    }
  } else if (op == "copy" || op == "dict") {
    *out = Value::Sequence(Kind::kDict, items);
  } else {
    *handled = false;
  }
  return Status();
}

std::string TextOf(const Value& v) {
  if (v.Is(Kind::kString) || v.Is(Kind::kDevice)) return v.text;
  if (v.Is(Kind::kBool)) return v.integer != 0 ? "True" : "False";
  if (v.is_known_int()) return std::to_string(v.integer);
  return v.Is(Kind::kFloat) ? std::to_string(v.number) : KindName(v.kind);
}

Status StringOp(const std::string& op, const Arguments& a, Value* out, bool* handled) {
  const std::string& text = a[0].text;
  if (op == "format") {
    std::string result;
    size_t next = 1;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text.compare(i, 2, "{}") == 0 && next < a.size()) {
        result += TextOf(a[next++]);
        ++i;
      } else {
        result += text[i];
      }
    }
    *out = Value::String(std::move(result));
  } else if ((op == "eq" || op == "ne") && a.size() == 2) {
    *out = Value::Bool((a[0] == a[1]) == (op == "eq"));
  } else if (op == "add" && a.size() == 2 && a[1].Is(Kind::kString)) {
    *out = Value::String(text + a[1].text);
  } else if (op == "len") {
    *out = Value::Int(static_cast<int64_t>(text.size()));
  } else if (op == "lower") {
    std::string lower = text;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    *out = Value::String(std::move(lower));
  } else if (op == "find" && a.size() >= 2) {
    const size_t at = text.find(a[1].text);
    *out = Value::Int(at == std::string::npos ? -1 : static_cast<int64_t>(at));
  } else if (op == "__contains__" && a.size() == 2) {
    *out = Value::Bool(text.find(a[1].text) != std::string::npos);
  } else if (op == "startswith" && a.size() == 2) {
    *out = Value::Bool(text.compare(0, a[1].text.size(), a[1].text) == 0);
  } else {
    *handled = false;
  }
  return Status();
}

}  // namespace

Status ElementOf(const Value& container, const Value& key, Value* out) {
  if (container.Is(Kind::kDict)) {
    for (size_t i = 0; i < container.items->size(); i += 2) {
      if (!((*container.items)[i] == key)) continue;
      *out = (*container.items)[i + 1];
      return Status();
    }
    return MICRORT_ERROR(kInvalidModel, "a dictionary has no entry '%s'", Shown(TextOf(key)).c_str());
  }
  if (!key.is_known_int()) return MICRORT_ERROR(kUnsupported, "an element at a position that a run decides");
  const bool is_text = container.Is(Kind::kString);
  if (!is_text && !container.is_sequence()) {
    return MICRORT_ERROR(kInvalidModel, "an element of %s", KindName(container.kind));
  }
  const auto size = static_cast<int64_t>(is_text ? container.text.size() : container.items->size());
  const int64_t at = key.integer < 0 ? key.integer + size : key.integer;
  if (at < 0 || at >= size) {
    return MICRORT_ERROR(kInvalidModel, "element %lld of %lld", static_cast<long long>(key.integer),
                         static_cast<long long>(size));
  }
  *out = is_text ? Value::String(container.text.substr(static_cast<size_t>(at), 1))
                 : (*container.items)[static_cast<size_t>(at)];
  return Status();
}

Status RunScalarOp(const std::string& op, const Arguments& a, Value* out, bool* handled) {
  *handled = true;
  if (a.empty()) {
    *handled = op == "dict";
    if (*handled) *out = Value::Sequence(Kind::kDict);
    return Status();
  }
  if (op == "__is__" || op == "__isnot__") {
    const bool same =
        a.size() == 2 && (a[0].is_none() || a[1].is_none() ? a[0].kind == a[1].kind : a[0] == a[1]);
    *out = Value::Bool(same == (op == "__is__"));
    return Status();
  }
  const bool are_integers = std::all_of(a.begin(), a.end(), [](const Value& v) { return v.is_known_int(); });
  if (are_integers && a.size() == 3 && op == "__range_length" && a[2].integer != 0) {
    const int64_t step = a[2].integer,
                  span = step > 0 ? a[1].integer - a[0].integer : a[0].integer - a[1].integer;
    const int64_t size = step > 0 ? step : -step;
    *out = Value::Int(span <= 0 ? 0 : (span + size - 1) / size);
    return Status();
  }
  if (are_integers && a.size() == 3 && op == "__derive_index") {
    *out = Value::Int(a[1].integer + a[0].integer * a[2].integer);
    return Status();
  }
  if (op == "__getitem__" && a.size() == 2 && a[0].tensor == nullptr) return ElementOf(a[0], a[1], out);
  if (a.size() == 2 && IsPlainNumber(a[0]) && IsPlainNumber(a[1]))
    return NumberOp(op, a[0], a[1], out, handled);
  if (a.size() == 1 && IsPlainNumber(a[0])) return OneNumberOp(op, a[0], out, handled);
  if (a[0].is_sequence()) return ListOp(op, a, out, handled);
  if (a[0].Is(Kind::kDict)) return DictOp(op, a, out, handled);
  if (a[0].Is(Kind::kString)) return StringOp(op, a, out, handled);
  const bool compares = (op == "eq" || op == "ne") && a.size() == 2;
  if (compares && (a[0].is_none() || a[1].is_none() || a[0].Is(Kind::kDevice))) {
    *out = Value::Bool((a[0] == a[1]) == (op == "eq"));
    return Status();
  }
  *handled = false;
  return Status();
}

}  // namespace micrort::frontend::torchscript
