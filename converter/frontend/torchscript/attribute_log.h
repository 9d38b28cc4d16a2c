#pragma once
// Records which attributes the code reads before it sets them, and which constants it sets them to.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/torchscript/tensor_table.h"

namespace micrort::frontend::torchscript {

class AttributeLog {
 public:
  using Elements = std::vector<std::shared_ptr<const ir::Bytes>>;  // one for each tensor or number

  void NoteRead(const Object& object, const std::string& name);
  // Call this before the attribute becomes the value.
  Status NoteSet(const Object& object, const std::string& name, const Value& value, TensorTable* table);

  // Whether the code has seen what the attribute was before.
  bool IsReadFirst(const Object& object, const std::string& name) const;
  // The latest value that consisted of constants only, with null for numbers; null if there was none.
  const Elements* LatestConstant(const Object& object, const std::string& name) const;

 private:
  using Place = std::pair<const Object*, std::string>;

  std::set<Place> read_first_, set_;
  std::map<Place, Elements> constants_;
};

}  // namespace micrort::frontend::torchscript
