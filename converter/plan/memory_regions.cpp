#include "converter/plan/memory_regions.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

#include "runtime/plan/check_plan.h"
#include "runtime/plan/lower_bound.h"
#include "tools/io/byte_count.h"

namespace micrort::plan {
namespace {

Status Expected(const std::string& found) {
  return MICRORT_ERROR(kInvalidArgument,
                       "expected regions as fast=64K,slow=256K@16M, multiples of %zu bytes, each behind the "
                       "one before; found '%s'",
                       kAlignment, found.c_str());
}

// Items of which one takes over another share a buffer.
struct Buffer {
  PlanItem item;  // its life is theirs
  uint64_t touches = 0;
  size_t region = 0;
  uint64_t offset = 0;

  uint64_t end() const { return offset + item.bytes; }
};

class RegionPlacement {
 public:
  RegionPlacement(const std::vector<MemoryRegion>& regions, Span<const PlanItem> items,
                  const std::vector<uint64_t>& touches)
      : regions_(regions), buffer_of_(items.size()) {
    for (size_t i = 0; i < items.size(); ++i) buffer_of_[i] = i;
    for (size_t i = 0; i < items.size(); ++i) {
      buffers_.push_back({items[i], items[i].bytes == 0 ? 0 : touches[i]});
    }
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].bytes != 0) Join(items, i);
    }
  }

  // Finds, among a few orders, the one after which least is touched in slow regions. False: nothing fits.
  bool Run() {
    const auto larger = [](const Buffer& a, const Buffer& b) { return a.item.bytes > b.item.bytes; };
    const auto smaller = [](const Buffer& a, const Buffer& b) { return a.item.bytes < b.item.bytes; };
    const auto total = [](const Buffer& a, const Buffer& b) {
      return a.touches * a.item.bytes > b.touches * b.item.bytes;
    };
    bool found = false;
    for (const bool by_touches : {true, false}) {
      found |= Try(larger, by_touches);
      found |= Try(smaller, by_touches);
      found |= Try(total, by_touches);
    }
    if (found) buffers_ = best_;
    return found;
  }

  const Buffer& buffer(size_t item) const { return buffers_[buffer_of_[item]]; }
  const std::vector<Buffer>& buffers() const { return buffers_; }

 private:
  void Join(Span<const PlanItem> items, size_t i) {
    size_t root = i;
    while (items[root].takes_over >= 0) root = static_cast<size_t>(items[root].takes_over);
    if (root == i) return;
    buffer_of_[i] = root;
    Buffer& buffer = buffers_[root];
    buffer.touches += buffers_[i].touches;
    buffer.item.bytes = std::max(buffer.item.bytes, items[i].bytes);
    buffer.item.first_op = std::min(buffer.item.first_op, items[i].first_op);
    buffer.item.last_op = std::max(buffer.item.last_op, items[i].last_op);
    buffers_[i].item.bytes = 0;
  }

  template <typename Before>
  bool Try(Before before, bool by_touches) {
    std::vector<size_t> order(buffers_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) {
      const Buffer &a = buffers_[i], &b = buffers_[j];
      if (by_touches && a.touches != b.touches) return a.touches > b.touches;
      return before(a, b);
    });
    placed_.clear();
    for (const size_t i : order) {
      if (buffers_[i].item.bytes != 0 && !Place(i)) return false;
    }
    const uint64_t cost = Cost();
    if (best_.empty() || cost < best_cost_) {
      best_ = buffers_;
      best_cost_ = cost;
    }
    return true;
  }

  // In the first region that has a gap, the smallest there.
  bool Place(size_t index) {
    Buffer& buffer = buffers_[index];
    for (size_t r = 0; r < regions_.size(); ++r) {
      if (!FindGap(regions_[r], buffer.item, &buffer.offset)) continue;
      buffer.region = r;
      const auto behind = std::find_if(placed_.begin(), placed_.end(),
                                       [&](size_t other) { return buffers_[other].offset > buffer.offset; });
      placed_.insert(behind, index);
      return true;
    }
    return false;
  }

  bool FindGap(const MemoryRegion& region, const PlanItem& item, uint64_t* offset) const {
    uint64_t below = region.offset, smallest = UINT64_MAX;
    const auto look = [&](uint64_t end) {
      if (end < below + item.bytes || end - below >= smallest) return;
      smallest = end - below;
      *offset = below;
    };
    for (const size_t other : placed_) {
      const Buffer& b = buffers_[other];
      if (!b.item.Overlaps(item) || b.offset < region.offset || b.offset >= region.offset + region.bytes)
        continue;
      look(b.offset);
      below = std::max(below, b.end());
    }
    look(region.offset + region.bytes);
    return smallest != UINT64_MAX;
  }

  uint64_t Cost() const {
    uint64_t cost = 0;
    for (const size_t i : placed_) cost += buffers_[i].region * buffers_[i].touches * buffers_[i].item.bytes;
    return cost;
  }

  const std::vector<MemoryRegion>& regions_;
  std::vector<size_t> buffer_of_;  // by item
  std::vector<Buffer> buffers_, best_;
  std::vector<size_t> placed_;  // by offset
  uint64_t best_cost_ = 0;
};

Status DoNotFit(const std::vector<MemoryRegion>& regions, size_t lower_bound) {
  uint64_t bytes = 0;
  for (const MemoryRegion& region : regions) bytes += region.bytes;
  return MICRORT_ERROR(
      kUnsupported,
      "--memory-regions: tensors and scratch do not fit into %llu bytes, each in one region; %zu are "
      "alive at once",
      static_cast<unsigned long long>(bytes), lower_bound);
}

}  // namespace

Status ParseMemoryRegions(const std::string& text, std::vector<MemoryRegion>* regions) {
  regions->clear();
  std::istringstream parts(text);
  uint64_t end = 0;
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = part.find('='), at = part.find('@');
    if (equals == 0 || equals == std::string::npos || (at != std::string::npos && at < equals))
      return Expected(text);
    MemoryRegion region;
    region.name = part.substr(0, equals);
    region.offset = end;
    const std::string bytes = part.substr(equals + 1, at == std::string::npos ? at : at - equals - 1);
    const bool is_read = io::ParseByteCount(bytes, &region.bytes) &&
                         (at == std::string::npos || io::ParseByteCount(part.substr(at + 1), &region.offset));
    // Addresses of microcontrollers have 32 bits.
    const bool fits = is_read && region.bytes <= UINT32_MAX && region.offset <= UINT32_MAX - region.bytes;
    if (!fits || region.bytes == 0 || region.bytes % kAlignment != 0 || region.offset % kAlignment != 0 ||
        region.offset < end || (regions->empty() && region.offset != 0)) {
      return Expected(text);
    }
    end = region.offset + region.bytes;
    regions->push_back(std::move(region));
  }
  return regions->empty() ? Expected(text) : Status();
}

Status PlaceInRegions(Span<const PlanItem> items, const std::vector<uint64_t>& touches, RegionPlan* plan,
                      PlacedItems* placed) {
  MICRORT_RETURN_IF_ERROR(ComputeLowerBound(items, &placed->layout.lower_bound));
  RegionPlacement placement(plan->regions, items, touches);
  if (!placement.Run()) return DoNotFit(plan->regions, placed->layout.lower_bound);
  plan->used_bytes.assign(plan->regions.size(), 0);
  plan->touched_bytes.assign(plan->regions.size(), 0);
  placed->layout.arena_bytes = 0;
  for (const Buffer& buffer : placement.buffers()) {
    if (buffer.item.bytes == 0) continue;
    uint64_t& used = plan->used_bytes[buffer.region];
    used = std::max(used, buffer.end() - plan->regions[buffer.region].offset);
    plan->touched_bytes[buffer.region] += buffer.touches * buffer.item.bytes;
    placed->layout.arena_bytes = std::max(placed->layout.arena_bytes, static_cast<size_t>(buffer.end()));
  }
  MICRORT_RETURN_IF_ERROR(placed->offsets.Allocate(items.size()));
  for (size_t i = 0; i < items.size(); ++i) {
    placed->offsets[i] = items[i].bytes == 0 ? 0 : static_cast<size_t>(placement.buffer(i).offset);
  }
  return CheckPlan(items, placed->offsets, placed->layout.arena_bytes);
}

}  // namespace micrort::plan
