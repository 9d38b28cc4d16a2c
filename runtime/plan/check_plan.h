#pragma once
// Decides whether a layout is safe. Shares no code with the planner, so that a mistake there is found here;
// layouts from files pass through it too.

#include "kernels/base/status.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

// kInvalidModel, naming two items, unless every offset is a multiple of kAlignment, every item lies inside
// [0, arena_bytes), and items that are alive at the same time do not overlap. The one exception: an item may
// have exactly the memory of the item that it takes over. Allocates.
Status CheckPlan(Span<const PlanItem> items, Span<const size_t> offsets, size_t arena_bytes);

}  // namespace micrort
