#pragma once
// Operators that move complex numbers as they move others.

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

// Whether the operator only moves elements of its first inputs, whatever these are.
bool MovesComplexNumbers(const std::string& op);

// The operator on the real parts of its complex inputs and on the imaginary ones, whose results are joined.
Status ImportInParts(const OpImporter& importer, OpContext& c);

}  // namespace micrort::frontend::tflite
