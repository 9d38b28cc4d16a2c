#pragma once
// Integers of the code as constants of the graph.

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

bool IsWhole(DType dtype);  // bool is not

// Exact in all types of integers; what does not fit wraps around, as PyTorch's does.
ir::ValueId WholeScalar(ir::Builder& builder, DType dtype, int64_t v);

// A number of the code in this type.
ir::ValueId NumberAs(OpContext& c, DType dtype, const Value& number);

}  // namespace micrort::frontend::torchscript
