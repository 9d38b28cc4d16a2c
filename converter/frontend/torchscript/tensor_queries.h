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

  // Argument 0 is a tensor. *handled is false where the operator is no question.
  Status Answer(const std::string& name, const std::vector<Value>& arguments, Value* out, bool* handled);

 private:
  Status Convert(const std::string& op, const Value& tensor, Value* out, bool* handled);
  Status Size(const Value& tensor, const Value& axis, Value* out);
  Status Sizes(const Value& tensor, Value* out);
  Status CountElements(ir::ValueId id, bool is_complex, Value* out);
  // Without the dimension of real and imaginary parts.
  int RankOf(const Value& tensor, ir::ValueId id);
  // An integer that a run computes.
  Value Computed(ir::ValueId id);

  ImportState& state_;
};

// After OpContext::TakeAsVectors: vectors of one element in the result lose their dimension.
void ReturnWithoutDims(OpContext& c);

}  // namespace micrort::frontend::torchscript
