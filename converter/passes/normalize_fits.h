#pragma once
// Which normalizations the runtime's operator can do.

#include <vector>

#include "converter/ir/graph.h"

namespace micrort::passes {

// scale, bias: null where absent.
bool NormalizeFits(const ir::Value& x, const std::vector<int32_t>& axes, const ir::Value* scale,
                   const ir::Value* bias);

}  // namespace micrort::passes
