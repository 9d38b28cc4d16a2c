#pragma once
// Broadcasting of shapes in which runs decide sizes.

#include "runtime/ops/op.h"

namespace micrort {

// Lets the shapes of inputs 0 to `count` broadcast where they do for sizes within their bounds: a size that a
// run decides, at most 16, beside one of 8 is 8 or 1. Once a run has decided, they stay as they are.
#if defined(MICRORT_NO_PLANNING)
inline void FitBounds(const PrepareContext&, int, Shape*) {}
#else
void FitBounds(const PrepareContext& context, int count, Shape* shapes);
#endif

}  // namespace micrort
