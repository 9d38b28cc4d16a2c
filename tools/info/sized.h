#pragma once
// Interpreters for sizes of inputs that a user names.

#include <vector>

#include "micrort/interpreter.h"
#include "tools/io/input_shape.h"

namespace micrort {

// Inputs that `wanted` does not name have the sizes that an interpreter starts with. kInvalidArgument if the
// model has no such input, or if these sizes do not fit it.
Result<Interpreter> CreateOfSizes(const Model& model, const std::vector<InputShape>& wanted,
                                  CpuFeatures features, const ModelLimits& limits);

}  // namespace micrort
