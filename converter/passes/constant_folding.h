#pragma once

#include "converter/passes/pass.h"

namespace micrort::passes {

// Replaces nodes whose results follow from constants and static shapes by these results, unless they are much
// larger than what they are computed from. Takes the whole model's graph, and enters bodies itself.
Status ConstantFolding(ir::Graph& graph, bool* changed);

}  // namespace micrort::passes
