#pragma once
// Parts of tensors between positions that a run decides.

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// Elements [start, end) of an axis, both int64 of shape [1], by Python's rules. Along an axis of fixed size
// it is a view that may be written to.
void ReturnOpenRange(OpContext& c, ir::ValueId x, int axis, ir::ValueId start, ir::ValueId end);

}  // namespace micrort::frontend::torchscript
