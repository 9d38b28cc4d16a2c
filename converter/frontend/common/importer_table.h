#pragma once
// What a format can import: a row an operator, and the rows by the names of what they import.

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/op_support.h"

namespace micrort::frontend {

template <typename Context>
struct ImporterRow {
  const char* op;  // the format's name
  // The first min_inputs inputs are present. max_inputs -1: any number.
  int min_inputs;
  int max_inputs;
  // Appends nodes that compute the outputs, and sets these. kInvalidModel if the node contradicts the
  // format's definition of the operator, kUnsupported if we cannot do what it asks for.
  Status (*import)(Context& c);
  OpSupport support = {};

  Status CheckCount(size_t inputs) const {
    const auto count = static_cast<int>(inputs);
    if (count >= min_inputs && (max_inputs < 0 || count <= max_inputs)) return Status();
    return Invalid("expected {} to {} inputs, found {}", min_inputs, max_inputs, count);
  }
};

template <typename Importer>
class ImporterTable {
 public:
  ImporterTable(std::initializer_list<std::initializer_list<Importer>> lists) {
    for (const auto& list : lists) {
      for (const Importer& importer : list) by_name_.emplace(importer.op, &importer);
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
