#pragma once
// Elements that a mask chooses.

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// x, with the elements of the source, one after the other, where the mask, which broadcasts to it, is true.
ir::ValueId InRowWhere(OpContext& c, ir::ValueId x, ir::ValueId mask, ir::ValueId source);

}  // namespace micrort::frontend::torchscript
