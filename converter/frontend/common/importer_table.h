#pragma once
// The importers of a format, by the names of what they import.

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace micrort::frontend {

template <typename Importer>
class ImporterTable {
 public:
  // name: the field that has it.
  ImporterTable(std::initializer_list<std::initializer_list<Importer>> lists, const char* Importer::*name) {
    for (const auto& list : lists) {
      for (const Importer& importer : list) by_name_.emplace(importer.*name, &importer);
    }
  }

  // Null if there is none.
  const Importer* Find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  // Sorted by name.
  std::vector<const Importer*> All() const {
    std::vector<const Importer*> all;
    for (const auto& entry : by_name_) all.push_back(entry.second);
    return all;
  }

 private:
  std::map<std::string, const Importer*> by_name_;
};

}  // namespace micrort::frontend
