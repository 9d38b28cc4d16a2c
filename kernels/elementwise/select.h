#pragma once
// Elements of one tensor or another, as a third one says.

#include <cstddef>
#include <cstdint>

#include "kernels/base/parallel.h"
#include "kernels/elementwise/broadcast.h"

namespace micrort {

// y[i] = condition[i] != 0 ? a[i] : b[i], for elements of 1, 2, 4 or 8 bytes; `plan` broadcasts condition, a
// and b. y may be an input that is not broadcast and has elements of the same size.
void SelectElements(const BroadcastPlan& plan, size_t element_bytes, const uint8_t* condition, const void* a,
                    const void* b, void* y, const Parallel& parallel);

// The same with everything decided.
struct SelectCall {
  BroadcastPlan plan;
  size_t element_bytes;
};

}  // namespace micrort
