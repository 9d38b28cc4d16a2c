#pragma once
// Magnitudes that neither overflow nor vanish where they are numbers: squares of floats do, beyond 1e19 and
// below 1e-23.

#include "converter/ir/build.h"

namespace micrort::lower {

// sqrt(a * a + b * b) for floats.
ir::ValueId Hypotenuse(ir::Builder& build, ir::ValueId a, ir::ValueId b);

// The magnitudes of complex numbers, floats whose last dimension has real and imaginary parts, without
// that dimension.
ir::ValueId Magnitude(ir::Builder& build, ir::ValueId x);

}  // namespace micrort::lower
