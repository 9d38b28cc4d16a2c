#include "runtime/plan/in_place_candidates.h"

#include <algorithm>

#include "runtime/plan/lower_bound.h"

namespace micrort {

namespace {

// What an operator may exceed the others by without a change: a share of them.
constexpr size_t kWorthwhileShare = 16;

}  // namespace

Status ChooseInPlace(Span<const PlanItem> items, Span<InPlaceChoice> choices) {
  FixedArray<size_t> alive;
  MICRORT_RETURN_IF_ERROR(ComputeBytesAlive(items, &alive));
  for (const InPlaceChoice& choice : choices) alive[static_cast<size_t>(choice.op)] -= choice.saved_bytes;
  const size_t most = *std::max_element(alive.begin(), alive.end());
  const size_t limit = most + most / kWorthwhileShare;
  for (InPlaceChoice& choice : choices) {
    choice.taken |= alive[static_cast<size_t>(choice.op)] + choice.saved_bytes > limit;
  }
  return Status();
}

}  // namespace micrort
