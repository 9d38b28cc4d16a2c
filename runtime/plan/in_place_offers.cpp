#include "runtime/plan/in_place_offers.h"

#include <algorithm>

#include "runtime/plan/lower_bound.h"

namespace micrort {

namespace {

// What an operator may exceed the others by without a change: a share of them.
constexpr size_t kWorthwhileShare = 16;

}  // namespace

Status ChooseOffers(Span<const PlanItem> items, Span<InPlaceOffer> offers) {
  FixedArray<size_t> alive;
  MICRORT_RETURN_IF_ERROR(ComputeBytesAlive(items, &alive));
  for (const InPlaceOffer& offer : offers) alive[static_cast<size_t>(offer.op)] -= offer.saved_bytes;
  const size_t most = *std::max_element(alive.begin(), alive.end());
  const size_t limit = most + most / kWorthwhileShare;
  for (InPlaceOffer& offer : offers) {
    offer.taken |= alive[static_cast<size_t>(offer.op)] + offer.saved_bytes > limit;
  }
  return Status();
}

}  // namespace micrort
