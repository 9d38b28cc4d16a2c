#pragma once

#include "converter/ir/build.h"

namespace micrort::lower {

// The value of a segment without elements, as a scalar: the neutral element of the reduction. That of the
// maximum is the lowest finite number.
ir::ValueId EmptySegment(ir::Builder& build, DType dtype, schema::ScatterReduction reduction);

}  // namespace micrort::lower
