#include "converter/frontend/common/named_values.h"

#include "converter/frontend/common/errors.h"

namespace micrort::frontend {

Status NamedValues::Define(const std::string& name, ir::ValueId id) {
  if (name.empty()) return Invalid("a value has no name");
  if (IsUnreachable(name) || !ids_.emplace(name, id).second)
    return Invalid("value '{}' is defined twice", name);
  return Status();
}

void NamedValues::Assign(const std::string& name, ir::ValueId id) {
  unreachable_.erase(name);
  ids_[name] = id;
}

ir::ValueId NamedValues::Find(const std::string& name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? ir::kNoValue : found->second;
}

void NamedValues::MarkUnreachable(const std::string& name) {
  ids_.erase(name);
  unreachable_.insert(name);
}

}  // namespace micrort::frontend
