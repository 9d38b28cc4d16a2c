#pragma once
// Tensors that count: 0, 1, 2 ..., int64. Long ones are computed as the model runs, and count as what they
// are.

#include "converter/ir/build.h"

namespace micrort::lower {

ir::ValueId Positions(ir::Builder& build, int64_t count);
// Along a dimension of x, which need not be fixed.
ir::ValueId PositionsAlong(ir::Builder& build, ir::ValueId x, int axis);
// The same in a shape that broadcasts with x; a scalar has position 0.
ir::ValueId PositionsIn(ir::Builder& build, ir::ValueId x, int axis);

}  // namespace micrort::lower
