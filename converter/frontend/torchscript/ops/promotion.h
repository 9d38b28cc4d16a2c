#pragma once
// Types that PyTorch's operators compute in.

#include <vector>

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

bool IsFloatType(DType dtype);
bool IsIntegerType(DType dtype);  // bool is none

// The type of a result: tensors with dimensions decide; scalar tensors and numbers only where they are of a
// higher category (bool, integers, floats).
DType PromotedType(OpContext& c, const std::vector<Value>& values);

// The arguments as tensors of that type.
std::vector<ir::ValueId> Promoted(OpContext& c, const std::vector<Value>& values);

// Arguments 0 and 1 of add, sub, mul and div. Traces keep a number of theirs as a float64 constant without
// dimensions, which PyTorch makes a number again before it runs the code: it widens no type.
std::vector<ir::ValueId> PromotedWithNumber(OpContext& c);

}  // namespace micrort::frontend::torchscript
