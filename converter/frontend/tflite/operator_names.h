#pragma once

#include <string>

namespace micrort::frontend::tflite {

// The code of operators that have a name in place of a number.
constexpr int kCustomOperator = 32;

// "CONV_2D"; "operator 777" for a number that is not known.
std::string OperatorName(int code);

// Whether it is a name that OperatorName gives, and so none of a custom operator.
bool IsOperatorName(const std::string& name);

}  // namespace micrort::frontend::tflite
