#include "converter/frontend/torchscript/scalar_ops.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/decided_by_run.h"
#include "converter/frontend/torchscript/plain_ops.h"

namespace micrort::frontend::torchscript {

namespace {

// Nothing but a tensor or a number is equal to something of another kind.
bool AreOfTwoKinds(const Value& a, const Value& b) {
  return a.kind != b.kind && !b.is_tensor() && !(a.is_scalar() && b.is_scalar());
}

// The length of range(start, end, step), whose step is not 0.
int64_t LengthOfRange(int64_t start, int64_t end, int64_t step) {
  const int64_t first = step > 0 ? start : end, last = step > 0 ? end : start;
  if (last <= first) return 0;
  const uint64_t span = static_cast<uint64_t>(last) - static_cast<uint64_t>(first);
  const uint64_t size = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
  return static_cast<int64_t>(std::min<uint64_t>((span - 1) / size + 1, std::numeric_limits<int64_t>::max()));
}

}  // namespace

Result<Value> ElementOf(const Value& container, const Value& key) {
  if (container.Is(Kind::kDict)) {
    MICRORT_RETURN_IF_ERROR(CheckKeys(*container.items, key));
    for (size_t i = 0; i < container.items->size(); i += 2) {
      if ((*container.items)[i] == key) return (*container.items)[i + 1];
    }
    return Invalid("a dictionary has no entry '{}'", Shown(TextOf(key)));
  }
  if (!key.is_known_int())
    return Unsupported("an element at {}{}", key.is_computed() ? "a position" : KindName(key.kind),
                       ThatARunDecides(key));
  // A named tuple is an object; other classes have a method for their elements.
  const bool is_text = container.Is(Kind::kString), is_tuple = container.Is(Kind::kObject);
  if (!is_text && !is_tuple && !container.is_sequence())
    return Invalid("an element of {}", KindName(container.kind));
  const auto size = static_cast<int64_t>(is_text    ? container.text.size()
                                         : is_tuple ? container.object->attributes.size()
                                                    : container.items->size());
  const int64_t at = key.integer < 0 ? key.integer + size : key.integer;
  if (at < 0 || at >= size) return Invalid("element {} of {}", key.integer, size);
  const auto place = static_cast<size_t>(at);
  if (is_text) return Value::String(container.text.str().substr(place, 1));
  return is_tuple ? container.object->attributes[place].second : (*container.items)[place];
}

Answer RunScalarOp(const std::string& op, const Arguments& a) {
  if (a.empty() && op == "dict") return Value::Sequence(Kind::kDict);
  if (a.empty()) return std::nullopt;
  if (op == "__is__" || op == "__isnot__") {
    const bool same =
        a.size() == 2 && (a[0].is_none() || a[1].is_none() ? a[0].kind == a[1].kind : a[0] == a[1]);
    return Value::Bool(same == (op == "__is__"));
  }
  const bool are_integers = std::all_of(a.begin(), a.end(), [](const Value& v) { return v.is_known_int(); });
  if (are_integers && a.size() == 3 && op == "__range_length" && a[2].integer != 0)
    return Value::Int(LengthOfRange(a[0].integer, a[1].integer, a[2].integer));
  if (are_integers && a.size() == 3 && op == "__derive_index") {
    // As torch computes it, around the end of all numbers.
    const auto wrapped = [](int64_t v) { return static_cast<uint64_t>(v); };
    return Value::Int(
        static_cast<int64_t>(wrapped(a[1].integer) + wrapped(a[0].integer) * wrapped(a[2].integer)));
  }
  if (op == "__getitem__" && a.size() == 2 && a[0].tensor == nullptr) return ElementOf(a[0], a[1]);
  const bool compares = (op == "eq" || op == "ne") && a.size() == 2;
  const bool is_member = a[0].Is(Kind::kObject) && a[0].object->enum_value != nullptr;
  if (compares && (AreOfTwoKinds(a[0], a[1]) || a[0].Is(Kind::kDevice) || is_member))
    return Value::Bool((a[0] == a[1]) == (op == "eq"));
  if (IsPlainNumber(a[0])) return NumberOp(op, a);
  if (a[0].is_sequence()) return ListOp(op, a);
  if (a[0].Is(Kind::kDict)) return DictOp(op, a);
  if (a[0].Is(Kind::kString)) return TextOp(op, a);
  return std::nullopt;
}

}  // namespace micrort::frontend::torchscript
