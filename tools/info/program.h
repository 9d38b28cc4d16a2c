#pragma once
// The steps that an interpreter runs on this machine.

#include <cstdio>
#include <nlohmann/json.hpp>

#include "micrort/interpreter.h"

namespace micrort {

// As an interpreter has them with dynamic dimensions at 1.
Status DescribeProgram(const Model& model, CpuFeatures features, const ModelLimits& limits,
                       nlohmann::ordered_json* program);
void PrintProgram(const nlohmann::ordered_json& program, std::FILE* out);

}  // namespace micrort
