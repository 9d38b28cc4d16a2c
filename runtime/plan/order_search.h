#pragma once
// Looks for an order of buffers whose greedy placement is small.

#include "kernels/base/fixed_array.h"
#include "runtime/plan/placement.h"

namespace micrort {

class OrderSearch {
 public:
  // `buffers` must outlive the search. It ends when `lower_bound` is met.
  OrderSearch(Span<const PlanItem> buffers, size_t lower_bound)
      : buffers_(buffers), lower_bound_(lower_bound), placement_(buffers) {}
  Status Init();

  // By size, by size times lifetime, by lifetime, by time.
  void TryFixedOrders();
  // From the bottom to the top of another placement, one offset a buffer.
  void TryOrderOf(Span<const size_t> offsets);
  // Up to `steps` random changes of the best order, kept where the arena does not grow.
  void Improve(int steps);

  // The size of the best placement so far.
  size_t arena_bytes() const { return arena_bytes_; }
  size_t offset(size_t buffer) const { return offsets_[buffer]; }

 private:
  using Weight = double (*)(const PlanItem& buffer);
  void TryOrderBy(Weight weight);
  void TryOrderOfWeights();
  void Try();
  void ChangeOrder();
  size_t Random(size_t n);

  Span<const PlanItem> buffers_;
  size_t lower_bound_;
  Placement placement_;
  FixedArray<int32_t> best_order_;
  FixedArray<int32_t> order_;  // the one being tried; buffers with fixed offsets come first
  FixedArray<size_t> offsets_;
  FixedArray<double> weights_;  // a buffer
  size_t fixed_count_ = 0;
  size_t arena_bytes_ = SIZE_MAX;
  uint64_t random_state_ = 0x9e3779b97f4a7c15u;
};

}  // namespace micrort
