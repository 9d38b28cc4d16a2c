#pragma once
// Parts of tensors between positions that a run decides.

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// 0, 1, 2 ... along the axis of a tensor, and how many there are, of shape [1].
ir::ValueId PositionsOf(ir::Builder& build, ir::ValueId base, int axis);
ir::ValueId SizeOfAxis(ir::Builder& build, ir::ValueId base, int axis);

// Every step-th element of [start, end) of an axis, both int64 of shape [1], by Python's rules: a view that
// may be written to, unless the axis is very long.
void ReturnOpenRange(OpContext& c, ir::ValueId x, int axis, ir::ValueId start, ir::ValueId end,
                     int64_t step = 1);

}  // namespace micrort::frontend::torchscript
