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
  for (const Placed *p = placed_.begin(), *end = p + placed_count_; p != end; ++p) {
    if (p->first_op > buffer.last_op || buffer.first_op > p->last_op) continue;
    if (p->offset > below) {
      const size_t gap = p->offset - below;
      if (gap >= buffer.bytes && gap < best_gap) {
        best_gap = gap;
        best = below;
      }
    }
    below = std::max(below, p->end);
  }
  return best_gap == SIZE_MAX ? below : best;
}

void Placement::Insert(int32_t buffer) {
  const size_t i = static_cast<size_t>(buffer);
  const Placed placed = {offsets_[i], end(i), buffers_[i].first_op, buffers_[i].last_op};
  Placed* const last = placed_.data() + placed_count_;
  Placed* const position = std::upper_bound(
      placed_.data(), last, placed, [](const Placed& a, const Placed& b) { return a.offset < b.offset; });
  std::copy_backward(position, last, last + 1);
  *position = placed;
  ++placed_count_;
}

}  // namespace micrort
