#pragma once
// Cosines and sines of rotary positions, which look like a table of embeddings.

#include "converter/ir/graph.h"

namespace micrort::quantize {

// Whether the columns of a table of at least one float32 element are cosines or sines of multiples of an
// angle, with a factor: the first row, which turns nothing, is one number or zeros, and cos(a + b) + cos(a -
// b) = 2 cos(b) cos(a), likewise for sines, from row to row. Embeddings whose first row is padding have zeros
// there, too, but not the rest.
bool HoldsRotations(const ir::Value& table);

}  // namespace micrort::quantize
