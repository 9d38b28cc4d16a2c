#include "converter/frontend/torchscript/work_meter.h"

#include <set>

#include "converter/ir/budget.h"
#include "runtime/ops/work_control.h"

namespace micrort::frontend::torchscript {

namespace {

// A second; no real model comes near.
constexpr uint64_t kMaxUnits = uint64_t{1} << 25;
// In units of the conversion's budget.
constexpr uint64_t kWorkOfUnit = 1000;

// Everything in the value; the caller has seen that this is not too much (ImportState::CheckNesting).
uint64_t WorkOfAll(const Value& value) {
  uint64_t work = value.text.size() / WorkMeter::kTextBytes;
  if (value.items == nullptr) return work;
  for (const Value& item : *value.items) work = AddWork(work, WorkMeter::kElement + WorkOfAll(item));
  return work;
}

uint64_t Elements(const Value& value) { return value.items == nullptr ? 0 : value.items->size(); }

// What lists do without looking at their elements.
bool IsAtHand(const std::string& op, const std::vector<Value>& a) {
  static const std::set<std::string> kOps = {"append", "len", "_set_item", "pop", "__getitem__", "popitem"};
  const bool is_dict = a[0].Is(Kind::kDict);
  if (is_dict) return op == "len" || op == "popitem";
  const bool moves_all = op == "pop" && a.size() > 1 && a[1].integer != -1;
  return kOps.count(op) != 0 && !moves_all;
}

// New elements take memory, which the system maps slowly: a hundred bytes each.
constexpr uint64_t kNewElement = 3;

// A sum counts the elements of both lists, and is assigned.
bool MakesOrMovesElements(const std::string& op, const Value& value) {
  static const std::set<std::string> kOps = {"list", "copy",   "slice",  "mul",
                                             "pop",  "insert", "remove", "Delete"};
  return value.is_sequence() && kOps.count(op) != 0;
}

// Looking for one text in another compares at every place, in the worst case to its end.
uint64_t WorkOfSearch(const Value& text, const Value& part) {
  return MultiplyWork(WorkOfText(text.text), WorkOfText(part.text));
}

}  // namespace

Status WorkMeter::Spend(uint64_t units) {
  spent_ = AddWork(spent_, units);
  if (spent_ > kMaxUnits)
    return Unsupported("the code or the pickles look at too many elements of lists, dictionaries and texts");
  return micrort::Spend(ir::CurrentBudget(), MultiplyWork(units, kWorkOfUnit));
}

uint64_t WorkOfCopy(const Value& value) {
  const size_t attributes = value.object == nullptr ? 0 : value.object->attributes.size();
  return 1 + WorkMeter::kElement * (Elements(value) + attributes);
}

uint64_t WorkOfAttribute(const Object& object) {
  constexpr size_t kNames = 4;  // that are compared in the time of a unit
  return 1 + object.attributes.size() / kNames;
}

uint64_t WorkOfPlainOp(const std::string& op, const std::vector<Value>& a) {
  if (a.empty() || IsAtHand(op, a)) return 1;
  uint64_t work = 1;
  for (const Value& value : a) work = AddWork(work, WorkOfAll(value));
  if (MakesOrMovesElements(op, a[0])) work = MultiplyWork(work, kNewElement);
  const Value& last = a.back();
  const bool two_texts = a.size() > 1 && a[0].Is(Kind::kString) && a[1].Is(Kind::kString);
  if (op == "mul" && last.is_known_int() && last.integer > 0)
    return MultiplyWork(work, static_cast<uint64_t>(last.integer));
  if (two_texts && (op == "find" || op == "__contains__")) return WorkOfSearch(a[0], a[1]);
  // Each byte is computed, not only copied.
  if (op == "lower" || op == "upper") return MultiplyWork(work, WorkMeter::kElement);
  // Every byte may become a text of its own.
  if (two_texts && op == "split")
    return AddWork(WorkOfSearch(a[0], a[1]),
                   MultiplyWork(a[0].text.size(), WorkMeter::kElement * kNewElement));
  // A separator comes between all.
  if (op == "join" && a.size() == 2)
    return AddWork(work, MultiplyWork(Elements(a[1]), WorkOfText(a[0].text)));
  // Each key is searched for among all; most keys are told apart much sooner than they are copied.
  constexpr uint64_t kSearched = 48;
  if (op == "update" || op == "dict")
    return AddWork(work, MultiplyWork(work, 1 + Elements(last)) / kSearched);
  constexpr uint64_t kComparisons = 20;  // of an element, for 2^20 of them
  return op == "sort" || op == "sorted" ? MultiplyWork(work, kComparisons) : work;
}

uint64_t WorkOfElement(const Value& container, const Value& key) {
  return container.Is(Kind::kDict) ? AddWork(WorkOfAll(container), WorkOfAll(key)) : 1;
}

}  // namespace micrort::frontend::torchscript
