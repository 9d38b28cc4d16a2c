#pragma once
// Values of a graph by their names in the source model.

#include <set>
#include <string>
#include <unordered_map>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

class NamedValues {
 public:
  // kInvalidModel if the name is empty or taken.
  Status Define(const std::string& name, ir::ValueId id);
  // From now on the name stands for this value, for formats whose nodes may overwrite what they read.
  void Assign(const std::string& name, ir::ValueId id);
  // kNoValue if there is none.
  ir::ValueId Find(const std::string& name) const;

  // The value comes after an operator that cannot be imported.
  void MarkUnreachable(const std::string& name);
  bool IsUnreachable(const std::string& name) const { return unreachable_.count(name) != 0; }

 private:
  std::unordered_map<std::string, ir::ValueId> ids_;
  std::set<std::string> unreachable_;
};

}  // namespace micrort::frontend
