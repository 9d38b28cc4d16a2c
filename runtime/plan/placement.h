#pragma once
// Greedy placement of buffers in a given order.

#include "kernels/base/fixed_array.h"
#include "runtime/plan/plan_item.h"

namespace micrort {

class Placement {
 public:
  // `buffers` must outlive the placement; none takes over another.
  explicit Placement(Span<const PlanItem> buffers) : buffers_(buffers) {}
  Status Init();

  // Gives every buffer of `order` the smallest gap that it fits into between those already placed that live
  // at the same time, or a place behind them. Returns the arena's bytes, or SIZE_MAX as soon as they are over
  // `limit`.
  size_t Place(Span<const int32_t> order, size_t limit);

  size_t offset(size_t buffer) const { return offsets_[buffer]; }
  size_t end(size_t buffer) const { return offsets_[buffer] + buffers_[buffer].bytes; }

 private:
  // Whether those placed leave no gap between them and each lives at the same time as `buffer`.
  bool LiesBehindAll(const PlanItem& buffer) const { return is_dense_ && common_life_.Overlaps(buffer); }
  // What others ask of one that is placed: read again and again, so that it lies together.
  struct Placed {
    size_t offset = 0, end = 0;
    int32_t first_op = 0, last_op = 0;
  };

  size_t FindOffset(const PlanItem& buffer) const;
  void Insert(int32_t buffer);

  Span<const PlanItem> buffers_;
  FixedArray<size_t> offsets_;
  FixedArray<Placed> placed_;  // sorted by offset
  size_t placed_count_ = 0;
  PlanItem common_life_;   // from the last begin to the first end of those placed
  bool is_dense_ = false;  // each lies where those placed before it end
};

}  // namespace micrort
