#pragma once
// What the source requires of the sizes of inputs, as the file says it.

#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::emit {

// Of an entry, as Subgraph.size_rules has it; empty where there is nothing to say. Without rules that name
// what is no caller's input any more, or that take more room than the runtime has for them: operators check
// those.
std::vector<uint8_t> MakeSizeRules(const ir::Graph& graph);

}  // namespace micrort::emit
