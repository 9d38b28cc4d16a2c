#include "runtime/plan/check_plan.h"

#include <algorithm>

#include "kernels/base/fixed_array.h"

namespace micrort {

namespace {

bool ShareMemory(Span<const PlanItem> items, Span<const size_t> offsets, size_t a, size_t b) {
  return offsets[a] < offsets[b] + items[b].bytes && offsets[b] < offsets[a] + items[a].bytes;
}

// Whether `b` stands exactly where `a` did, from the operator on that reads `a` last.
bool TakesOver(Span<const PlanItem> items, Span<const size_t> offsets, size_t a, size_t b) {
  return items[b].takes_over == static_cast<int32_t>(a) && items[a].last_op == items[b].first_op &&
         offsets[a] == offsets[b] && items[a].bytes == items[b].bytes;
}

Status CheckPlace(const PlanItem& item, size_t offset, size_t arena_bytes) {
  if (offset % kAlignment != 0) {
    return MICRORT_ERROR(kInvalidModel, "expected an offset that is a multiple of %zu, found %zu", kAlignment,
                         offset);
  }
  if (offset > arena_bytes || item.bytes > arena_bytes - offset) {
    return MICRORT_ERROR(kInvalidModel, "%zu bytes at offset %zu reach out of the arena of %zu bytes",
                         item.bytes, offset, arena_bytes);
  }
  return Status();
}

}  // namespace

Status CheckPlan(Span<const PlanItem> items, Span<const size_t> offsets, size_t arena_bytes) {
  FixedArray<int32_t> by_time;
  MICRORT_RETURN_IF_ERROR(by_time.Allocate(items.size()));
  size_t count = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].bytes == 0) continue;
    if (Status s = CheckPlace(items[i], offsets[i], arena_bytes); !s.ok()) {
      return s.WithPrefix("memory plan: item %zu", i);
    }
    by_time[count++] = static_cast<int32_t>(i);
  }
  std::sort(by_time.begin(), by_time.begin() + count, [&](int32_t a, int32_t b) {
    return items[static_cast<size_t>(a)].first_op < items[static_cast<size_t>(b)].first_op;
  });
  for (size_t x = 0; x < count; ++x) {
    const size_t a = static_cast<size_t>(by_time[x]);
    for (size_t y = x + 1; y < count; ++y) {
      const size_t b = static_cast<size_t>(by_time[y]);
      if (items[b].first_op > items[a].last_op) break;
      if (!ShareMemory(items, offsets, a, b) || TakesOver(items, offsets, a, b) ||
          TakesOver(items, offsets, b, a)) {
        continue;
      }
      return MICRORT_ERROR(kInvalidModel,
                           "memory plan: items %zu and %zu are alive at operator %d and overlap", a, b,
                           items[b].first_op);
    }
  }
  return Status();
}

}  // namespace micrort
