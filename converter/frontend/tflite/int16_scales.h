#pragma once
// Quantizations of int16 that TensorFlow Lite's kernels refuse.

#include <string>

#include "converter/frontend/tflite/stated_operator.h"

namespace micrort::frontend::tflite {

// The fault of the first such tensor of the operator: a zero point, the scale of a table's output, an
// LSTM's cell whose scale is no power of two. Empty if there is none.
std::string WhyInvalidInt16(const StatedOperator& op);

}  // namespace micrort::frontend::tflite
