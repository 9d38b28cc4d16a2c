#pragma once
// What the source requires of the sizes of inputs, as the file says it.

#include <memory>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::emit {

// Of an entry. Without rules that name what is no caller's input any more, or that take more room than the
// runtime has for them: operators check those.
std::vector<std::unique_ptr<schema::SizeRuleT>> MakeSizeRules(const ir::Graph& graph);

}  // namespace micrort::emit
