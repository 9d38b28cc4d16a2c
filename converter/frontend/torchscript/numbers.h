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
  Status Convert(Kind kind, const Value& value, Value* out);
  // The element of a tensor, of the kind that its type is.
  Status ElementOf(const Value& tensor, Value* out);
  Status Truth(const Value& value, bool* is_known, bool* truth);

 private:
  Status ConvertTensor(Kind kind, const Value& value, Value* out);

  ImportState& state_;
};

bool IsWhole(DType dtype);  // bool is not

// Exact in all types of integers; what does not fit wraps around, as PyTorch's does.
ir::ValueId WholeScalar(ir::Builder& builder, DType dtype, int64_t v);

// A number of the code in this type.
ir::ValueId NumberAs(OpContext& c, DType dtype, const Value& number);

}  // namespace micrort::frontend::torchscript
