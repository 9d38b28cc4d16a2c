#pragma once
// Operators that can write an output over an input, but are slower so: which of them are worth it.

#include "kernels/base/status.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

struct InPlaceChoice {
  int32_t op = 0;
  size_t saved_bytes = 0;  // of those alive at the operator, if it works in place
  bool taken = false;      // in: it has to be taken
};

// Takes the candidates without which clearly more bytes, by a sixteenth, were alive at their operators than
// are anywhere else, whatever is taken there. At most one an operator. Allocates; errors as
// ComputeBytesAlive().
Status ChooseInPlace(Span<const PlanItem> items, Span<InPlaceChoice> choices);

}  // namespace micrort
