#pragma once
// Numbers and truth values of the code: known while the model is imported, or computed by a run.

#include <string>

#include "converter/frontend/torchscript/import_state.h"
#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

class Numbers {
 public:
  explicit Numbers(ImportState& state) : state_(state) {}

  // As a bool, int or float (`kind`); of a tensor, its one element.
  Result<Value> Convert(Kind kind, const Value& value);
  // The element of a tensor, of the kind that its type is.
  Result<Value> ElementOf(const Value& tensor);
  // Whether a condition holds; nullopt where a run decides it.
  Result<std::optional<bool>> Truth(const Value& value);

 private:
  Result<Value> ConvertTensor(Kind kind, const Value& value);

  ImportState& state_;
};

bool IsWhole(DType dtype);  // bool is not

// Exact in all types of integers; what does not fit wraps around, as PyTorch's does.
ir::ValueId WholeScalar(ir::Builder& builder, DType dtype, int64_t v);

// A number of the code in this type.
ir::ValueId NumberAs(OpContext& c, DType dtype, const Value& number);

}  // namespace micrort::frontend::torchscript
