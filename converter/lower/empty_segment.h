#pragma once

#include "converter/ir/build.h"

namespace micrort::lower {

// What a segment without elements holds, a scalar: the neutral element, which of the maximum is the lowest
// finite number.
ir::ValueId EmptySegment(ir::Builder& build, DType dtype, schema::ScatterReduction reduction);

}  // namespace micrort::lower
