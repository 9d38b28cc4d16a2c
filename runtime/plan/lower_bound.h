#pragma once

#include "kernels/base/status.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

// The largest sum of bytes alive at one operator, where an item and the one it takes over count once.
// Allocates. kInvalidModel if all items together have more bytes than an address space.
Status ComputeLowerBound(Span<const PlanItem> items, size_t* bytes);

}  // namespace micrort
