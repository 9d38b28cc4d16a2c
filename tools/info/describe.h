#pragma once
// A model file as a JSON document, and that document as text.

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "micrort/model.h"

namespace micrort {

nlohmann::ordered_json DescribeModel(const std::string& path, const Model& model);
void PrintModel(const nlohmann::ordered_json& document, std::FILE* out);

}  // namespace micrort
