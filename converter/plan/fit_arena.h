#pragma once
// Algorithms that need less scratch, where the arena would be larger than allowed.

#include <vector>

#include "kernels/base/fixed_array.h"
#include "kernels/base/status.h"
#include "runtime/plan/plan_item.h"

namespace micrort::plan {

struct PlacedItems {
  FixedArray<size_t> offsets;
  MemoryLayout layout;
};

// How many orders of so many items are tried: fewer where each takes longer, so that networks of thousands of
// operators are planned in seconds, too.
int SearchSteps(size_t items);

// Places items, of which the first `tensors` are tensors and the others the scratch of operators, with much
// more effort than a device could spend.
Status PlaceItems(Span<PlanItem> items, size_t tensors, PlacedItems* placed);

// One way to compute an operator.
struct ScratchOption {
  size_t scratch_bytes = 0;
  double cost = 0;
};

struct FitRequest {
  Span<PlanItem> items;  // as for PlaceItems; gets the scratch that is left
  size_t tensors = 0;
  // By operator: cheapest first, each with less scratch than the one before. Empty: there is no choice.
  std::vector<std::vector<ScratchOption>> options;
  size_t limit = 0;  // bytes
};

struct ArenaFit {
  PlacedItems placed;
  size_t given_up = 0;  // operators that do not take their cheapest option
  double loss = 0;      // by how much the cost of all grows, as a share of it
};

// Gives up what costs least first, one option of one operator after the other, until everything fits.
// kUnsupported with the bytes that the smallest options need if these do not fit either.
Status FitArena(const FitRequest& request, ArenaFit* fit);

// The largest block that is free below `limit` while operator `op` runs, its own scratch not counted.
size_t LargestGap(Span<const PlanItem> items, const FixedArray<size_t>& offsets, size_t tensors, int32_t op,
                  size_t limit);

}  // namespace micrort::plan
