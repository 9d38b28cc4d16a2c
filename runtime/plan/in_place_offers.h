#pragma once
// Operators that can write an output over an input, but are slower so: which of them are worth it.

#include "kernels/base/status.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

struct InPlaceOffer {
  int32_t op = 0;
  size_t saved_bytes = 0;  // of those alive at the operator, if it takes the offer
  bool taken = false;      // in: it has to be taken
};

// Takes the offers without which clearly more bytes, by a sixteenth, were alive at their operators than are
// anywhere else, whatever is taken there. At most one offer an operator. Allocates; errors as
// ComputeBytesAlive().
Status ChooseOffers(Span<const PlanItem> items, Span<InPlaceOffer> offers);

}  // namespace micrort
