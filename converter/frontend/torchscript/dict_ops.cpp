// Dictionaries, as lists of keys and values.

#include <algorithm>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/plain_ops.h"

namespace micrort::frontend::torchscript {

namespace {

// Entries are searched one by one: many at once, each among many, would take the product.
Status CheckSearches(size_t keys, size_t entries) {
  constexpr size_t kMaxCompared = size_t{1} << 26;
  if (keys <= kMaxCompared / std::max<size_t>(entries, 1)) return Status();
  return Unsupported("{} entries at once for a dictionary of up to {}", keys, entries);
}

// The position of the key; past the end if there is none.
size_t FindKey(const std::vector<Value>& items, const Value& key) {
  size_t at = 0;
  while (at < items.size() && !(items[at] == key)) at += 2;
  return at;
}

void SetEntry(std::vector<Value>* items, const Value& key, const Value& value) {
  const size_t at = FindKey(*items, key);
  if (at == items->size()) items->insert(items->end(), {key, value});
  (*items)[at + 1] = value;
}

void EraseEntry(std::vector<Value>* items, size_t at) {
  const auto first = items->begin() + static_cast<std::ptrdiff_t>(at);
  items->erase(first, first + 2);
}

Answer ChangeDict(const std::string& op, const Arguments& a) {
  std::vector<Value>& items = *a[0].items;
  const size_t at = a.size() > 1 ? FindKey(items, a[1]) : items.size();
  const bool is_there = at < items.size();
  if (op == "setdefault" && a.size() == 3) {
    if (!is_there) SetEntry(&items, a[1], a[2]);
    return items[at + 1];
  }
  if ((op == "pop" || op == "Delete") && a.size() >= 2) {
    if (!is_there && a.size() == 2) return Invalid("a dictionary has no entry '{}'", Shown(TextOf(a[1])));
    const Value entry = is_there ? items[at + 1] : a[2];
    if (is_there) EraseEntry(&items, at);
    return op == "pop" ? entry : Value();
  }
  if (op == "popitem" && !items.empty()) {
    const size_t last = items.size() - 2;
    Value entry = Value::Sequence(Kind::kTuple, {items[last], items[last + 1]});
    EraseEntry(&items, last);
    return entry;
  }
  if (op == "_set_item" && a.size() == 3) {
    SetEntry(&items, a[1], a[2]);
  } else if (op == "update" && a.size() == 2 && a[1].Is(Kind::kDict)) {
    const std::vector<Value> added = *a[1].items;
    MICRORT_RETURN_IF_ERROR(CheckSearches(added.size() / 2, (items.size() + added.size()) / 2));
    for (size_t i = 0; i < added.size(); i += 2) SetEntry(&items, added[i], added[i + 1]);
  } else if (op == "clear") {
    items.clear();
  } else {
    return std::nullopt;
  }
  return Value();
}

}  // namespace

Status CheckKeys(const std::vector<Value>& entries, const Value& key) {
  bool is_known = key.is_comparable();
  for (size_t i = 0; i < entries.size(); i += 2) is_known = is_known && entries[i].is_comparable();
  return is_known ? Status() : Unsupported("a key of a dictionary that a run decides");
}

Answer MakeDict(const std::vector<Value>& pairs) {
  MICRORT_RETURN_IF_ERROR(CheckSearches(pairs.size(), pairs.size()));
  Value dict = Value::Sequence(Kind::kDict);
  for (const Value& pair : pairs) {
    if (!pair.is_sequence() || pair.items->size() != 2) return std::nullopt;
    MICRORT_RETURN_IF_ERROR(CheckKeys({}, (*pair.items)[0]));
    SetEntry(dict.items.get(), (*pair.items)[0], (*pair.items)[1]);
  }
  return dict;
}

Answer DictOp(const std::string& op, const Arguments& a) {
  if (a.size() > 1 && !a[1].Is(Kind::kDict)) MICRORT_RETURN_IF_ERROR(CheckKeys(*a[0].items, a[1]));
  MICRORT_ASSIGN_OR_RETURN(std::optional<Value> changed, ChangeDict(op, a));
  if (changed) return changed;
  const std::vector<Value>& items = *a[0].items;
  const size_t at = a.size() > 1 ? FindKey(items, a[1]) : items.size();
  if (op == "len") return Value::Int(static_cast<int64_t>(items.size() / 2));
  if (op == "__contains__" && a.size() == 2) return Value::Bool(at < items.size());
  if (op == "get" && a.size() >= 2) return at < items.size() ? items[at + 1] : a.size() > 2 ? a[2] : Value();
  if (op == "copy" || op == "dict") return Value::Sequence(Kind::kDict, items);
  if (op != "keys" && op != "values" && op != "items") return std::nullopt;
  Value list = Value::Sequence(Kind::kList);
  for (size_t i = 0; i < items.size(); i += 2) {
    list.items->push_back(op == "keys"     ? items[i]
                          : op == "values" ? items[i + 1]
                                           : Value::Sequence(Kind::kTuple, {items[i], items[i + 1]}));
  }
  return list;
}

}  // namespace micrort::frontend::torchscript
