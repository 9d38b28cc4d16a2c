#pragma once

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// Returns the part of `source` that a scatter writes. A source may be larger than `index`; PyTorch then reads
// its first elements along each dimension.
ir::ValueId PartFor(OpContext& c, ir::ValueId index, ir::ValueId source);

// Elements that a mask chooses.

// x, with the elements of the source, one after the other, where the mask, which broadcasts to it, is true.
ir::ValueId InRowWhere(OpContext& c, ir::ValueId x, ir::ValueId mask, ir::ValueId source);

}  // namespace micrort::frontend::torchscript
