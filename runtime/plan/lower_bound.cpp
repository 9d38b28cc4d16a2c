#include "runtime/plan/lower_bound.h"

#include <algorithm>

namespace micrort {

Status ComputeBytesAlive(Span<const PlanItem> items, FixedArray<size_t>* bytes) {
  int32_t last_op = 0;
  ptrdiff_t total = 0;
  for (const PlanItem& item : items) {
    last_op = std::max(last_op, item.last_op);
    if (item.bytes > PTRDIFF_MAX || !CheckedAdd(total, static_cast<ptrdiff_t>(item.bytes), &total)) {
      return MICRORT_ERROR(kInvalidModel, "the tensors together are larger than an address space");
    }
  }
  // First the bytes that begin to live at each operator, less those that ended before it, modulo 2^n.
  MICRORT_RETURN_IF_ERROR(bytes->Allocate(static_cast<size_t>(last_op) + 2));
  for (const PlanItem& item : items) {
    // At its first operator, an item that takes over another is counted there.
    const int32_t begin = item.takes_over < 0 ? item.first_op : item.first_op + 1;
    (*bytes)[static_cast<size_t>(begin)] += item.bytes;
    (*bytes)[static_cast<size_t>(item.last_op) + 1] -= item.bytes;
  }
  size_t alive = 0;
  for (size_t& b : *bytes) b = alive += b;
  return Status();
}

Status ComputeLowerBound(Span<const PlanItem> items, size_t* bytes) {
  FixedArray<size_t> alive;
  MICRORT_RETURN_IF_ERROR(ComputeBytesAlive(items, &alive));
  *bytes = *std::max_element(alive.begin(), alive.end());
  return Status();
}

}  // namespace micrort
