#pragma once
// What the code asks of a tensor: sizes, type, its element.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/import_state.h"
#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

class TensorQueries {
 public:
  explicit TensorQueries(ImportState& state) : state_(state) {}

  // Argument 0 is a tensor. Nothing where the operator is no question.
  Answer Ask(const std::string& name, const std::vector<Value>& arguments);

 private:
  Result<Value> Size(const Value& tensor, const Value& axis);
  Result<Value> Sizes(const Value& tensor);
  Result<Value> CountElements(ir::ValueId id, bool is_complex);
  // Without the dimension of real and imaginary parts.
  int RankOf(const Value& tensor, ir::ValueId id);
  // An integer that a run computes.
  Value Computed(ir::ValueId id);

  ImportState& state_;
};

// After OpContext::TakeAsVectors: vectors of one element in the result lose their dimension.
void ReturnWithoutDims(OpContext& c);

}  // namespace micrort::frontend::torchscript
