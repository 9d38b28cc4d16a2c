#pragma once
// Broadcasting of shapes in which runs decide sizes.

#include "runtime/ops/op.h"

namespace micrort {

// Lets `count` shapes broadcast where they do for sizes within their bounds: a size that a run decides, at
// most 16, beside one of 8 is 8 or 1. The first ones are those of as many inputs; others are fixed. Once a
// run has decided, they stay as they are.
#if defined(MICRORT_NO_PLANNING)
inline void FitBounds(const PrepareContext&, int, int, Shape*) {}
#else
void FitBounds(const PrepareContext& context, int inputs, int count, Shape* shapes);
#endif

}  // namespace micrort
