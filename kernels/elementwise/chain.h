#pragma once
// Element-wise functions one after another, tile by tile: what lies between them stays in the cache.

#include <cstddef>

#include "kernels/base/parallel.h"
#include "kernels/base/span.h"

namespace micrort {

// Elements [begin, end) of y, from those of a and b that belong to them.
using ElementwiseRangeFn = void (*)(const void* task, const void* a, const void* b, void* y, size_t begin,
                                    size_t end);

// A function with everything decided; null: none.
struct ElementwiseCall {
  ElementwiseRangeFn run = nullptr;
  const void* task = nullptr;
};

struct ElementwiseStage {
  ElementwiseCall call;
  const void* a;  // y: what the stage before gave
  const void* b;  // null for functions of one variable
};

// Each stage writes to y, whose n elements have the bytes of what every stage gives, and may read it
// element by element. The bits are those of the stages run as a whole, one after another.
void RunElementwiseChain(Span<const ElementwiseStage> stages, void* y, size_t n, const Parallel& parallel);

}  // namespace micrort
