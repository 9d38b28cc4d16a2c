#pragma once
// How large integers of a model's inputs may be where nobody gives them.

#include <map>
#include <string>
#include <vector>

#include "micrort/model.h"
#include "schema/micrort_generated.h"

namespace micrort::io {

// Follows integers of inputs to the tables that they index. Operators are told in the order in which they
// run; values are known by numbers.
class TableRows {
 public:
  explicit TableRows(const std::vector<int>& inputs);
  // An operator that makes `to` of `from`, which may give the same integers.
  void Follow(schema::OpCode code, int from, int to);
  // One that takes rows of a table by `indices`; a size of -1: not known.
  void Index(int indices, int64_t size);
  // Rows of the smallest table that the input indexes; 2 where it indexes none and is a mask by its name; 0:
  // not known.
  int64_t Of(int input, const std::string& name, DType dtype) const;

 private:
  std::map<int, int> input_of_;  // where the integers of a value come from
  std::map<int, int64_t> rows_;
};

// One a caller's input.
std::vector<int64_t> RowsOfTables(const Model& model);

}  // namespace micrort::io
