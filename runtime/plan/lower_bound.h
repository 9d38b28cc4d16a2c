#pragma once

#include "kernels/base/fixed_array.h"
#include "kernels/base/status.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

// The sum of bytes alive at each operator, where an item and the one it takes over count once. Allocates.
// kInvalidModel if all items together have more bytes than an address space.
Status ComputeBytesAlive(Span<const PlanItem> items, FixedArray<size_t>* bytes);

// The largest of these sums.
Status ComputeLowerBound(Span<const PlanItem> items, size_t* bytes);

}  // namespace micrort
