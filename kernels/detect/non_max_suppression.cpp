#include "kernels/detect/non_max_suppression.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/sort/candidate.h"
#include "kernels/sort/ordered_key.h"

namespace micrort {

namespace {

using Entry = Candidate<uint32_t>;
constexpr size_t kRow = 3;  // batch item, class, box

struct IsWorse {
  bool operator()(const Entry& a, const Entry& b) const { return b > a; }
};

struct Box {
  float x1, y1, x2, y2, area;
};

Box ReadBox(const float* b, bool center_point_box) {
  Box box;
  if (center_point_box) {
    const float half_width = b[2] / 2, half_height = b[3] / 2;
    box = {b[0] - half_width, b[1] - half_height, b[0] + half_width, b[1] + half_height, 0};
  } else {
    box = {std::min(b[1], b[3]), std::min(b[0], b[2]), std::max(b[1], b[3]), std::max(b[0], b[2]), 0};
  }
  box.area = (box.x2 - box.x1) * (box.y2 - box.y1);
  return box;
}

bool OverlapsMuch(const Box& a, const Box& b, float threshold) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (!(width > 0 && height > 0)) return false;
  const float intersection = width * height;
  const float both = a.area + b.area - intersection;
  return a.area > 0 && b.area > 0 && both > 0 && intersection / both > threshold;
}

// One class of one batch item.
class ClassSelection {
 public:
  ClassSelection(const NmsParams& params, const NmsThresholds& thresholds, uint8_t* scratch)
      : params_(params),
        thresholds_(thresholds),
        heap_(reinterpret_cast<Entry*>(scratch)),
        kept_(reinterpret_cast<Box*>(scratch + HeapBytes(params))) {}

  static size_t HeapBytes(const NmsParams& params) {
    return AlignUp(params.count * sizeof(Entry), kAlignment);
  }
  static size_t ScratchBytes(const NmsParams& params) {
    return HeapBytes(params) + AlignUp(params.limit * sizeof(Box), kAlignment);
  }

  // Writes the selected boxes to the last column of `rows`; returns how many. Candidates wait in a heap, so
  // that only those are put in order that are looked at.
  size_t Run(const float* boxes, const float* scores, int64_t* rows) {
    size_t left = CollectCandidates(scores);
    std::make_heap(heap_, heap_ + left, IsWorse());
    size_t kept = 0;
    for (; left > 0 && kept < params_.limit; --left) {
      std::pop_heap(heap_, heap_ + left, IsWorse());
      const uint32_t index = heap_[left - 1].index();
      const Box box = ReadBox(boxes + size_t{index} * 4, params_.center_point_box);
      if (IsSuppressed(box, kept)) continue;
      kept_[kept] = box;
      rows[kept++ * kRow + 2] = index;
    }
    return kept;
  }

 private:
  size_t CollectCandidates(const float* scores) {
    size_t found = 0;
    for (size_t i = 0; i < params_.count; ++i) {
      if (thresholds_.has_min_score && !(scores[i] > thresholds_.min_score)) continue;
      heap_[found++] = Entry(OrderedKey(scores[i]), static_cast<uint32_t>(i));
    }
    return found;
  }

  bool IsSuppressed(const Box& box, size_t kept) const {
    return std::any_of(kept_, kept_ + kept,
                       [&](const Box& other) { return OverlapsMuch(box, other, thresholds_.iou); });
  }

  const NmsParams& params_;
  const NmsThresholds& thresholds_;
  Entry* heap_;
  Box* kept_;
};

size_t CountBytes(const NmsParams& p) { return AlignUp(p.batch * p.classes * sizeof(uint32_t), kAlignment); }

// Moves the rows of every class, which begin `limit` rows apart, together and completes them.
size_t JoinRows(const NmsParams& p, const uint32_t* counts, int64_t* selected) {
  size_t total = 0;
  for (size_t part = 0; part < p.batch * p.classes; ++part) {
    const int64_t* from = selected + part * p.limit * kRow;
    for (size_t i = 0; i < counts[part]; ++i, ++total) {
      const int64_t box = from[i * kRow + 2];
      int64_t* row = selected + total * kRow;
      row[0] = static_cast<int64_t>(part / p.classes);
      row[1] = static_cast<int64_t>(part % p.classes);
      row[2] = box;
    }
  }
  return total;
}

}  // namespace

size_t NmsScratchBytes(const NmsParams& params, int workers) {
  const size_t counts = BytesOf({params.batch, params.classes, sizeof(uint32_t)});
  const size_t heap = BytesOf({params.count, sizeof(Entry)}), kept = BytesOf({params.limit, sizeof(Box)});
  size_t one = 0, all = 0;
  const bool fits = CheckedAdd(heap, kept, &one) && CheckedMul(one, static_cast<size_t>(workers), &one) &&
                    CheckedAdd(one, counts, &all);
  return fits ? all : kTooManyBytes;
}

size_t RunNms(const NmsParams& p, const NmsThresholds& thresholds, const float* boxes, const float* scores,
              int64_t* selected, void* scratch, const Parallel& parallel) {
  auto* counts = static_cast<uint32_t*>(scratch);
  std::fill_n(counts, p.batch * p.classes, 0u);  // where a run ends early, not all are written
  uint8_t* rest = static_cast<uint8_t*>(scratch) + CountBytes(p);
  ParallelFor(parallel, p.batch * p.classes, [&](size_t part, int worker) {
    ClassSelection selection(p, thresholds,
                             rest + static_cast<size_t>(worker) * ClassSelection::ScratchBytes(p));
    counts[part] = static_cast<uint32_t>(selection.Run(
        boxes + part / p.classes * p.count * 4, scores + part * p.count, selected + part * p.limit * kRow));
  });
  return JoinRows(p, counts, selected);
}

}  // namespace micrort
