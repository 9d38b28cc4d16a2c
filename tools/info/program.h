#pragma once
// The steps that an interpreter runs on this machine.

#include <cstdio>
#include <nlohmann/json.hpp>

#include "micrort/interpreter.h"

namespace micrort {

nlohmann::ordered_json DescribeProgram(const Interpreter& interpreter);
void PrintProgram(const nlohmann::ordered_json& program, std::FILE* out);

}  // namespace micrort
