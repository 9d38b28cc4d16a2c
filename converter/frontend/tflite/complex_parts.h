#pragma once
// Operators that take complex numbers besides those that are made for them.

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

// Whether the operator does to real and imaginary parts alike what it does to other numbers, or multiplies.
bool AllowsComplexNumbers(const std::string& op);

// The operator on the real parts of its complex inputs and on the imaginary ones, whose results are joined.
Status ImportComplex(const OpImporter& importer, OpContext& c);

}  // namespace micrort::frontend::tflite
