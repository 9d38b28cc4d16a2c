#include "runtime/plan/lower_bound.h"

#include <algorithm>

#include "kernels/base/fixed_array.h"

namespace micrort {

Status ComputeLowerBound(Span<const PlanItem> items, size_t* bytes) {
  int32_t last_op = 0;
  ptrdiff_t total = 0;
  for (const PlanItem& item : items) {
    last_op = std::max(last_op, item.last_op);
    if (item.bytes > PTRDIFF_MAX || !CheckedAdd(total, static_cast<ptrdiff_t>(item.bytes), &total)) {
      return MICRORT_ERROR(kInvalidModel, "the tensors together are larger than an address space");
    }
  }
  // change[o]: bytes that begin to live at operator o, less those that ended before it.
  FixedArray<ptrdiff_t> change;
  MICRORT_RETURN_IF_ERROR(change.Allocate(static_cast<size_t>(last_op) + 2));
  for (const PlanItem& item : items) {
    // At its first operator, an item that takes over another is counted there.
    const int32_t begin = item.takes_over < 0 ? item.first_op : item.first_op + 1;
    change[static_cast<size_t>(begin)] += static_cast<ptrdiff_t>(item.bytes);
    change[static_cast<size_t>(item.last_op) + 1] -= static_cast<ptrdiff_t>(item.bytes);
  }
  ptrdiff_t alive = 0;
  ptrdiff_t most = 0;
  for (const ptrdiff_t c : change) most = std::max(most, alive += c);
  *bytes = static_cast<size_t>(most);
  return Status();
}

}  // namespace micrort
