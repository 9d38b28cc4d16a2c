#include "converter/plan/fit_arena.h"

#include <algorithm>
#include <utility>

#include "runtime/plan/planner.h"

namespace micrort::plan {
namespace {

Status Place(Span<PlanItem> items, PlacedItems* placed) {
  MICRORT_RETURN_IF_ERROR(placed->offsets.Allocate(items.size()));
  return PlanMemory({items.data(), items.size()}, {SearchSteps(items.size())}, placed->offsets,
                    &placed->layout);
}

// First the tensors alone, then scratch into the gaps: the best for devices that need less scratch than this
// one.
Status PlaceTensorsFirst(Span<PlanItem> items, size_t tensors, PlacedItems* placed) {
  MICRORT_RETURN_IF_ERROR(Place({items.data(), tensors}, placed));
  for (size_t t = 0; t < tensors; ++t) items[t].fixed_offset = static_cast<int64_t>(placed->offsets[t]);
  const Status status = Place(items, placed);
  for (size_t t = 0; t < tensors; ++t) items[t].fixed_offset = kNoOffset;
  return status;
}

class Fitting {
 public:
  explicit Fitting(const FitRequest& request) : request_(request), taken_(request.options.size(), 0) {}

  Status Run(ArenaFit* fit) {
    MICRORT_RETURN_IF_ERROR(Place(fit));
    while (fit->placed.layout.arena_bytes > request_.limit) {
      size_t op = 0;
      if (!CheapestToGiveUp(fit->placed, &op)) return TooSmall(fit->placed.layout.arena_bytes);
      ++taken_[op];
      MICRORT_RETURN_IF_ERROR(Place(fit));
    }
    SumUp(fit);
    return Status();
  }

 private:
  Status Place(ArenaFit* fit) {
    for (size_t op = 0; op < taken_.size(); ++op) {
      if (request_.options[op].empty()) continue;
      Scratch(op).bytes = AlignUp(request_.options[op][taken_[op]].scratch_bytes, kAlignment);
    }
    return PlaceItems(request_.items, request_.tensors, &fit->placed);
  }

  // Among the operators whose scratch reaches over the limit, or, if that of none does, all: the one that
  // loses least by its next option. False if all have come to their last one.
  bool CheapestToGiveUp(const PlacedItems& placed, size_t* cheapest) const {
    for (const bool only_over : {true, false}) {
      double least = -1;
      for (size_t op = 0; op < taken_.size(); ++op) {
        if (taken_[op] + 1 >= request_.options[op].size()) continue;
        const size_t end = placed.offsets[request_.tensors + op] + Scratch(op).bytes;
        if (only_over && end <= request_.limit) continue;
        const double loss = CostOf(op, taken_[op] + 1) - CostOf(op, taken_[op]);
        if (least >= 0 && loss >= least) continue;
        least = loss;
        *cheapest = op;
      }
      if (least >= 0) return true;
    }
    return false;
  }

  static Status TooSmall(size_t smallest) {
    return MICRORT_ERROR(
        kUnsupported, "the smallest arena possible is %zu bytes, with each operator run by itself", smallest);
  }

  void SumUp(ArenaFit* fit) const {
    double best = 0, now = 0;
    for (size_t op = 0; op < taken_.size(); ++op) {
      if (request_.options[op].empty()) continue;
      best += CostOf(op, 0);
      now += CostOf(op, taken_[op]);
      fit->given_up += taken_[op] == 0 ? 0 : 1;
    }
    fit->loss = best > 0 ? now / best - 1 : 0;
  }

  PlanItem& Scratch(size_t op) const { return request_.items[request_.tensors + op]; }
  double CostOf(size_t op, size_t option) const { return request_.options[op][option].cost; }

  const FitRequest& request_;
  std::vector<size_t> taken_;  // option, by operator
};

}  // namespace

int SearchSteps(size_t items) {
  // A step compares each item with those placed before it.
  constexpr size_t kComparisons = size_t{1} << 31, kMostSteps = 4000;
  return static_cast<int>(std::min(kMostSteps, kComparisons / (items * items + 1)));
}

Status PlaceItems(Span<PlanItem> items, size_t tensors, PlacedItems* placed) {
  PlacedItems together;
  MICRORT_RETURN_IF_ERROR(PlaceTensorsFirst(items, tensors, placed));
  MICRORT_RETURN_IF_ERROR(Place(items, &together));
  if (together.layout.arena_bytes < placed->layout.arena_bytes) *placed = std::move(together);
  return Status();
}

Status FitArena(const FitRequest& request, ArenaFit* fit) { return Fitting(request).Run(fit); }

size_t LargestGap(Span<const PlanItem> items, const FixedArray<size_t>& offsets, size_t tensors, int32_t op,
                  size_t limit) {
  std::vector<std::pair<size_t, size_t>> alive;  // begin, end
  for (size_t t = 0; t < tensors; ++t) {
    const bool is_alive = items[t].bytes != 0 && items[t].first_op <= op && op <= items[t].last_op;
    if (is_alive) alive.emplace_back(offsets[t], offsets[t] + items[t].bytes);
  }
  std::sort(alive.begin(), alive.end());
  alive.emplace_back(limit, limit);
  size_t largest = 0, below = 0;
  for (const auto& [begin, end] : alive) {
    if (begin > below) largest = std::max(largest, begin - below);
    below = std::max(below, end);
  }
  return largest;
}

}  // namespace micrort::plan
