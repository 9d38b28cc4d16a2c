#pragma once
// Writes what the source requires of the sizes of inputs into the file.

#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::emit {

// The bytes of Subgraph.size_rules for an entry; empty where it has no rules. A rule is left out, and
// operators alone check what it says, if it names an input that callers no longer give, or if the runtime has
// no room for it.
std::vector<uint8_t> MakeSizeRules(const ir::Graph& graph);

}  // namespace micrort::emit
