#pragma once
// Layers around spectra, which integers serve badly: a filter bank whose outputs are squared, added up and
// rooted (or a logarithm is taken) holds values that lie decades apart, and what follows depends on the small
// ones as much as on the large ones. One scale a tensor, or weights that leak 1/250 of a loud channel into a
// quiet one, would drown these.

#include <map>
#include <string>

#include "converter/ir/graph.h"

namespace micrort::quantize {

// Layers whose outputs go into a square root or a logarithm with nothing but sums, products, powers and moves
// of elements between, and layers that read a square root which was only moved; each with the reason, for the
// summary. Looked up, never iterated: the order would be that of addresses.
using Spectra = std::map<const ir::Node*, std::string>;
Spectra LayersAroundSpectra(const ir::Graph& graph);

}  // namespace micrort::quantize
