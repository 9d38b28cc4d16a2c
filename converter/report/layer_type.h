#pragma once

#include <string>

#include "converter/ir/graph.h"

namespace micrort::report {

// In which numbers a node computes: "int8", "float32 from int8 weights".
std::string ComputeType(const ir::Graph& graph, const ir::Node& node);

}  // namespace micrort::report
