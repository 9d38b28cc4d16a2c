#pragma once
// A model's graph as an ONNX file, for programs that draw those. No runtime of ONNX can run it: operators are
// MicroRT's.

#include <string>

#include "micrort/model.h"

namespace micrort {

// Operators are nodes of the domain "micrort" with their options as text; constants are initializers with
// their data; subgraphs are attributes of the operators that run them; quantization and packed weights are
// remarks.
Result<std::string> ToOnnx(const Model& model);

}  // namespace micrort
