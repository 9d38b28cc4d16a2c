#include "runtime/plan/planner.h"

#include <algorithm>
#include <cstdint>

#include "kernels/base/fixed_array.h"
#include "runtime/plan/lower_bound.h"
#include "runtime/plan/order_search.h"

namespace micrort {

namespace {

bool IsFree(const PlanItem& item) { return item.fixed_offset == kNoOffset; }

// Items become buffers: chains of free items that take over each other share one.
class Buffers {
 public:
  Status Build(Span<const PlanItem> items) {
    MICRORT_RETURN_IF_ERROR(buffer_of_.Allocate(items.size()));
    MICRORT_RETURN_IF_ERROR(buffers_.Allocate(items.size()));
    for (size_t i = 0; i < items.size(); ++i) buffer_of_[i] = kNone;
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].bytes != 0) AddChain(items, i);
    }
    return Status();
  }

  Span<const PlanItem> buffers() const { return {buffers_.data(), count_}; }
  // The offset of each buffer, from those of items.
  Status OffsetsOf(Span<const size_t> items, FixedArray<size_t>* offsets) const {
    MICRORT_RETURN_IF_ERROR(offsets->Allocate(count_));
    for (size_t i = 0; i < items.size(); ++i) {
      if (buffer_of_[i] == kNone) continue;
      size_t& offset = (*offsets)[static_cast<size_t>(buffer_of_[i])];
      offset = std::max(offset, items[i]);
    }
    return Status();
  }
  // kNone for an item without bytes.
  int32_t buffer_of(size_t item) const { return buffer_of_[item]; }
  static constexpr int32_t kNone = -1;

 private:
  static bool Joins(Span<const PlanItem> items, size_t i) {
    return items[i].takes_over >= 0 && IsFree(items[i]) &&
           IsFree(items[static_cast<size_t>(items[i].takes_over)]);
  }

  // Goes back from item `i` to one that has a buffer or begins its chain, then gives that buffer to all on
  // the way.
  void AddChain(Span<const PlanItem> items, size_t i) {
    size_t root = i;
    while (buffer_of_[root] == kNone && Joins(items, root)) {
      root = static_cast<size_t>(items[root].takes_over);
    }
    if (buffer_of_[root] == kNone) {
      buffers_[count_] = items[root];
      buffers_[count_].takes_over = -1;
      buffer_of_[root] = static_cast<int32_t>(count_++);
    }
    PlanItem& buffer = buffers_[static_cast<size_t>(buffer_of_[root])];
    for (size_t k = i; k != root; k = static_cast<size_t>(items[k].takes_over)) {
      buffer_of_[k] = buffer_of_[root];
      buffer.bytes = std::max(buffer.bytes, items[k].bytes);
      buffer.first_op = std::min(buffer.first_op, items[k].first_op);
      buffer.last_op = std::max(buffer.last_op, items[k].last_op);
    }
  }

  FixedArray<PlanItem> buffers_;
  FixedArray<int32_t> buffer_of_;
  size_t count_ = 0;
};

}  // namespace

int DeviceSearchSteps(size_t items) {
  // A step compares each item with those placed before it.
  constexpr size_t kComparisons = size_t{1} << 25;
  return static_cast<int>(kComparisons / (items * items + kComparisons / 256));
}

Status PlanMemory(Span<const PlanItem> items, const PlannerOptions& options, Span<size_t> offsets,
                  MemoryLayout* layout) {
  MICRORT_RETURN_IF_ERROR(ComputeLowerBound(items, &layout->lower_bound));
  Buffers buffers;
  MICRORT_RETURN_IF_ERROR(buffers.Build(items));
  OrderSearch search(buffers.buffers(), layout->lower_bound);
  MICRORT_RETURN_IF_ERROR(search.Init());
  if (options.former_offsets.empty()) {
    search.TryFixedOrders();
    search.Improve(options.search_steps);
  } else {
    FixedArray<size_t> former;
    MICRORT_RETURN_IF_ERROR(buffers.OffsetsOf(options.former_offsets, &former));
    search.TryOrderOf(former);
  }
  layout->arena_bytes = search.arena_bytes();
  for (size_t i = 0; i < items.size(); ++i) {
    const int32_t buffer = buffers.buffer_of(i);
    offsets[i] = buffer == Buffers::kNone ? 0 : search.offset(static_cast<size_t>(buffer));
  }
  return Status();
}

}  // namespace micrort
