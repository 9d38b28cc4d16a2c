#pragma once
// Arithmetic of integers that wraps nowhere in between.

#include "converter/ir/build.h"

namespace micrort::lower {

// x / y, rounded down. Integers of one type.
ir::ValueId FloorQuotient(ir::Builder& build, ir::ValueId x, ir::ValueId y);

// A number of bits to shift by, brought between 0 and one less than the type has.
ir::ValueId ShiftInType(ir::Builder& build, ir::ValueId by);

// x / 2^by, rounded down; by what is below 0, or not below the bits of the type, all are shifted out, and the
// sign stays.
ir::ValueId ShiftRightOut(ir::Builder& build, ir::ValueId x, ir::ValueId by);

}  // namespace micrort::lower
