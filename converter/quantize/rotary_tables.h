#pragma once
// Cosines and sines of rotary positions, which look like a table of embeddings.

#include <vector>

#include "converter/ir/graph.h"

namespace micrort::quantize {

// Position 0 turns nothing: the first row is one number, or zeros. Rows multiply values that are computed.
// Embeddings that others multiply, as recommenders have, differ in the first row.
bool HoldsRotations(const ir::Graph& graph, ir::ValueId table, const std::vector<ir::Node*>& gathers);

}  // namespace micrort::quantize
