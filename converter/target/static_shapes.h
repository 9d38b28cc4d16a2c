#pragma once
// Shapes for devices that plan nothing.

#include <string>
#include <utility>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/cpu_features.h"

namespace micrort::target {

using NamedShape = std::pair<std::string, std::vector<int64_t>>;

// Microcontrollers run programs as the file states them, for one set of shapes.
bool PlansNothing(CpuFeatures features);

// The inputs of a source graph that have dynamic dimensions and are not among the given shapes (by name, or
// by position as "#0"): their shapes with 1 for each of these dimensions.
std::vector<NamedShape> ShapesOfOne(const ir::Graph& graph, const std::vector<NamedShape>& given);

}  // namespace micrort::target
