#pragma once

#include "converter/frontend/torchscript/op_context.h"

namespace micrort::frontend::torchscript {

// What a scatter writes to the positions of `index`: there may be more of the source than of these.
ir::ValueId PartFor(OpContext& c, ir::ValueId index, ir::ValueId source);

}  // namespace micrort::frontend::torchscript
