#pragma once
// Places buffers in one arena so that those alive at the same time do not overlap.

#include "kernels/base/status.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

struct PlannerOptions {
  // Greedy placement is tried in a few fixed orders; then up to `search_steps` changed orders are tried,
  // until the lower bound is met. 0 for devices, thousands for the converter. Deterministic.
  int search_steps = 0;
  // Where the same items lay when they had other sizes, one an item. They are placed in that order, and no
  // other one is tried: an arena for smaller sizes is no larger then. Empty: an order is searched.
  Span<const size_t> former_offsets = {};
};

// Steps that take some milliseconds on a small CPU.
int DeviceSearchSteps(size_t items);

// offsets: one an item; 0 for items without bytes. Items that take over another get its offset. Allocates.
// kOutOfMemory if an allocation fails, kInvalidModel if sums of sizes overflow.
Status PlanMemory(Span<const PlanItem> items, const PlannerOptions& options, Span<size_t> offsets,
                  MemoryLayout* layout);

}  // namespace micrort
