#pragma once
// What the planner places: tensors and blocks of scratch, each alive over an interval of operators.

#include <cstddef>
#include <cstdint>

#include "kernels/base/checked_math.h"
#include "kernels/base/span.h"

namespace micrort {

constexpr int64_t kNoOffset = -1;

struct PlanItem {
  size_t bytes = 0;  // a multiple of kAlignment; 0: takes no place
  int32_t first_op = 0;
  int32_t last_op = 0;  // inclusive
  // The item whose memory this one may be given: it ends where this one begins, has the same size, and no
  // other item takes it over. -1: none.
  int32_t takes_over = -1;
  int64_t fixed_offset = kNoOffset;  // decided elsewhere, not to be changed

  bool Overlaps(const PlanItem& o) const { return first_op <= o.last_op && o.first_op <= last_op; }
};

struct MemoryLayout {
  size_t arena_bytes = 0;
  size_t lower_bound = 0;  // the largest sum of bytes alive at once; no layout is smaller
};

}  // namespace micrort
