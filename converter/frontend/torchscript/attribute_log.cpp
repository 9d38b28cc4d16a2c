#include "converter/frontend/torchscript/attribute_log.h"

#include "converter/frontend/torchscript/bodies.h"

namespace micrort::frontend::torchscript {

void AttributeLog::NoteRead(const Object& object, const std::string& name) {
  const Place place(&object, name);
  if (set_.count(place) == 0) read_first_.insert(place);
}

Status AttributeLog::NoteSet(const Object& object, const std::string& name, const Value& value,
                             TensorTable* table) {
  const Place place(&object, name);
  set_.insert(place);
  // Nothing inside a branch or loop sets attributes of objects that were there before.
  if (table->assembler().parent() != nullptr) return Status();
  std::vector<Value> leaves;
  Leaves(value, &leaves);
  Elements elements;
  for (const Value& leaf : leaves) {
    elements.push_back(nullptr);
    if (leaf.tensor == nullptr) continue;
    const bool is_outdated = leaf.tensor->is_outdated || leaf.tensor->base != nullptr;
    if (is_outdated) return Status();
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, table->Read(*leaf.tensor));
    elements.back() = table->value(id).data;
    if (elements.back() == nullptr) return Status();
  }
  constants_[place] = std::move(elements);
  return Status();
}

bool AttributeLog::IsReadFirst(const Object& object, const std::string& name) const {
  return read_first_.count(Place(&object, name)) != 0;
}

const AttributeLog::Elements* AttributeLog::LatestConstant(const Object& object,
                                                           const std::string& name) const {
  const auto found = constants_.find(Place(&object, name));
  return found == constants_.end() ? nullptr : &found->second;
}

}  // namespace micrort::frontend::torchscript
