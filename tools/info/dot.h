#pragma once
// A model's graph in the language of Graphviz.

#include <nlohmann/json.hpp>
#include <string>

namespace micrort {

// `document` as DescribeModel gives it. Operators are boxes, inputs and outputs ellipses, subgraphs clusters;
// edges are tensors with type and shape. Constants are left out.
std::string ToDot(const nlohmann::ordered_json& document);

}  // namespace micrort
