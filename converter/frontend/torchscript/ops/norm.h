#pragma once

#include <vector>

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// The p-norm over the axes; p beyond 1e30 stands for infinity.
ir::ValueId NormOf(OpContext& c, ir::ValueId x, double p, const std::vector<int32_t>& axes, bool keep);

}  // namespace micrort::frontend::torchscript
