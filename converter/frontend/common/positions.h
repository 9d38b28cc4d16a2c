#pragma once

#include "converter/ir/build.h"

namespace micrort::frontend {

// 0, 1, 2 ... along a dimension of x, int64.
ir::ValueId PositionsAlong(ir::Builder& build, ir::ValueId x, int axis);

}  // namespace micrort::frontend
