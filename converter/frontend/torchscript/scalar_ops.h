#pragma once
// Operators on numbers, strings, lists, tuples and dictionaries that are known while the model is imported.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/value.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

// *handled is false where the operator is none of these for these arguments.
Status RunScalarOp(const std::string& op, const std::vector<Value>& arguments, Value* out, bool* handled);

// The element of a list, tuple, dictionary or string; negative positions count from the end.
Status ElementOf(const Value& container, const Value& key, Value* out);

}  // namespace micrort::frontend::torchscript
