#include "converter/frontend/torchscript/stacked_lists.h"

#include <algorithm>

namespace micrort::frontend::torchscript {

bool IsStackedList(const Value& value) {
  return value.Is(Kind::kList) && value.items->size() == 1 && (*value.items)[0].Is(Kind::kStacked);
}

void FilledLists::StartTry() {
  has_new_ = false;
  for (List& list : lists_) {
    list.entry = Value();
    *list.items = {Value::Of(Kind::kStacked)};
  }
}

Status FilledLists::Append(const Value& list, const Value& item) {
  const auto found = std::find_if(lists_.begin(), lists_.end(),
                                  [&](const List& known) { return known.items == list.items; });
  if (around_.count(list.items.get()) != 0)
    return Unsupported(
        "a list is changed in a loop inside of a branch or loop that the values of inputs decide");
  if (!item.is_tensor() || item.tensor->is_complex)
    return Unsupported("a list gets {} in a loop that the values of inputs decide; tensors are possible",
                       item.is_tensor() ? "complex numbers" : KindName(item.kind));
  if (found == lists_.end()) {
    if (!list.items->empty())
      return Unsupported("a list grows in a loop that the values of inputs decide, and is not empty before");
    lists_.push_back({list.items, item});
    has_new_ = true;
    return Status();
  }
  if (!found->entry.is_none())
    return Unsupported(
        "a list gets several elements in an iteration of a loop that the values of inputs decide");
  found->entry = item;
  return Status();
}

Status FilledLists::HandOutAll(TensorTable& table, Branch* results) const {
  for (const List& list : lists_) {
    if (list.entry.is_none())
      return Unsupported(
          "a list gets an element in some iterations only, of a loop that the values of inputs decide");
    MICRORT_RETURN_IF_ERROR(HandOut(table, list.entry, results));
  }
  return Status();
}

void FilledLists::TakeResults(TensorTable& table, const std::vector<ir::ValueId>& ids, size_t first) const {
  for (size_t i = 0; i < lists_.size() && first + i < ids.size(); ++i)
    (*lists_[i].items)[0].tensor = table.Make(ids[first + i]);
}

bool StackedLists::Concern(const std::vector<Value>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), IsStackedList);
}

Result<Value> StackedLists::Call(const std::string& name, const std::vector<Value>& arguments,
                                 const Keywords& keywords) {
  const std::string op = name.substr(name.find("::") + 2);
  const Value& list = arguments[0];
  const std::shared_ptr<Tensor> tensor =
      IsStackedList(list) && arguments.size() <= 2 ? (*list.items)[0].tensor : nullptr;
  const bool is_known = op == "len" || op == "stack" || op == "cat" || op == "concat" ||
                        op == "concatenate" || op == "__getitem__";
  if (tensor == nullptr || !is_known)
    return Unsupported("'{}' of a list that grows in a loop which the values of inputs decide", op);
  const Value rows = Value::OfTensor(tensor);
  if (op == "len") return calls_.Call("aten::size", {rows, Value::Int(0)}, {});
  if (op == "__getitem__") return calls_.Call("aten::select", {rows, Value::Int(0), arguments[1]}, {});
  Value dim = arguments.size() > 1 ? arguments[1] : Value::Int(0);
  for (const auto& [keyword, value] : keywords) {
    if (keyword == "dim") dim = value;
  }
  return Join(op, rows, dim);
}

Result<Value> StackedLists::Join(const std::string& op, const Value& rows, const Value& dim) {
  if (op == "stack") return calls_.Call("aten::movedim", {rows, Value::Int(0), dim}, {});
  if (!dim.is_known_int()) return Unsupported("tensors are joined along a dimension that a run decides");
  if (dim.integer < 0)
    return Unsupported("elements of a list that grew are joined along dimension {}", dim.integer);
  MICRORT_ASSIGN_OR_RETURN(const Value beside, calls_.Call("aten::movedim", {rows, Value::Int(0), dim}, {}));
  return calls_.Call("aten::flatten", {beside, dim, Value::Int(dim.integer + 1)}, {});
}

}  // namespace micrort::frontend::torchscript
