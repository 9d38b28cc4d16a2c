#include "runtime/plan/placement.h"

#include <algorithm>
#include <cstdint>

namespace micrort {

Status Placement::Init() {
  MICRORT_RETURN_IF_ERROR(offsets_.Allocate(buffers_.size()));
  return placed_.Allocate(buffers_.size());
}

size_t Placement::Place(Span<const int32_t> order, size_t limit) {
  placed_count_ = 0;
  common_life_ = {0, 0, INT32_MAX};
  is_dense_ = true;
  size_t arena_bytes = 0;
  for (const int32_t b : order) {
    const size_t i = static_cast<size_t>(b);
    const PlanItem& buffer = buffers_[i];
    if (buffer.fixed_offset != kNoOffset) {
      offsets_[i] = static_cast<size_t>(buffer.fixed_offset);
    } else {
      offsets_[i] = LiesBehindAll(buffer) ? arena_bytes : FindOffset(buffer);
    }
    is_dense_ &= offsets_[i] == arena_bytes;
    common_life_.first_op = std::max(common_life_.first_op, buffer.first_op);
    common_life_.last_op = std::min(common_life_.last_op, buffer.last_op);
    Insert(b);
    arena_bytes = std::max(arena_bytes, end(i));
    if (arena_bytes > limit) return SIZE_MAX;
  }
  return arena_bytes;
}

size_t Placement::FindOffset(const PlanItem& buffer) const {
  size_t best = 0;
  size_t best_gap = SIZE_MAX;
  size_t below = 0;  // the end of all that lives at the same time and lies below the gap
  for (size_t k = 0; k < placed_count_; ++k) {
    const size_t i = static_cast<size_t>(placed_[k]);
    if (!buffers_[i].Overlaps(buffer)) continue;
    if (offsets_[i] > below) {
      const size_t gap = offsets_[i] - below;
      if (gap >= buffer.bytes && gap < best_gap) {
        best_gap = gap;
        best = below;
      }
    }
    below = std::max(below, end(i));
  }
  return best_gap == SIZE_MAX ? below : best;
}

void Placement::Insert(int32_t buffer) {
  int32_t* const last = placed_.data() + placed_count_;
  int32_t* const position = std::upper_bound(placed_.data(), last, buffer, [this](int32_t a, int32_t b) {
    return offsets_[static_cast<size_t>(a)] < offsets_[static_cast<size_t>(b)];
  });
  std::copy_backward(position, last, last + 1);
  *position = buffer;
  ++placed_count_;
}

}  // namespace micrort
