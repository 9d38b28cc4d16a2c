#pragma once
// Operators on numbers, strings, lists, tuples and dictionaries that are known while the model is imported.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/value.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

Answer RunScalarOp(const std::string& op, const std::vector<Value>& arguments);

// The element of a list, tuple, dictionary or string; negative positions count from the end.
Result<Value> ElementOf(const Value& container, const Value& key);

}  // namespace micrort::frontend::torchscript
