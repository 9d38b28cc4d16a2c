#include "kernels/detect/non_max_suppression.h"

#include <algorithm>
#include <cmath>
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

// Intersection over union.
float Overlap(const Box& a, const Box& b) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (!(width > 0 && height > 0)) return 0;
  const float intersection = width * height;
  const float both = a.area + b.area - intersection;
  return a.area > 0 && b.area > 0 && both > 0 ? intersection / both : 0;
}

// A candidate of soft suppression: what its score has become by the first `seen` of the kept boxes.
struct Lowered {
  float score;
  uint32_t seen;
};

// Memory of one thread, one part behind the other.
struct NmsScratch {
  Entry* heap;
  Box* kept;
  Lowered* lowered;  // of each box; soft suppression alone has it

  static size_t Bytes(const NmsParams& p) {
    size_t bytes = 0;
    const bool fits = CheckedAdd(HeapBytes(p), KeptBytes(p), &bytes) &&
                      CheckedAdd(bytes, p.is_soft ? BytesOf({p.count, sizeof(Lowered)}) : 0, &bytes);
    return fits ? bytes : kTooManyBytes;
  }
  NmsScratch(const NmsParams& p, uint8_t* scratch)
      : heap(reinterpret_cast<Entry*>(scratch)),
        kept(reinterpret_cast<Box*>(scratch + HeapBytes(p))),
        lowered(reinterpret_cast<Lowered*>(scratch + HeapBytes(p) + KeptBytes(p))) {}

 private:
  static size_t HeapBytes(const NmsParams& p) { return BytesOf({p.count, sizeof(Entry)}); }
  static size_t KeptBytes(const NmsParams& p) { return BytesOf({p.limit, sizeof(Box)}); }
};

// One class of one batch item.
class ClassSelection {
 public:
  ClassSelection(const NmsParams& params, const NmsThresholds& thresholds, const float* boxes,
                 const float* scores, const NmsScratch& scratch)
      : params_(params), thresholds_(thresholds), boxes_(boxes), scores_(scores), scratch_(scratch) {}

  // Writes the selected boxes to the last column of `rows`, and their scores where they are lowered; returns
  // how many. Candidates wait in a heap, so that only those are put in order that are looked at.
  size_t Run(int64_t* rows, float* lowered) {
    left_ = CollectCandidates();
    std::make_heap(scratch_.heap, scratch_.heap + left_, IsWorse());
    size_t kept = 0;
    while (left_ > 0 && kept < params_.limit) {
      std::pop_heap(scratch_.heap, scratch_.heap + left_, IsWorse());
      const uint32_t index = scratch_.heap[--left_].index();
      const Box box = ReadBox(boxes_ + size_t{index} * 4, params_.center_point_box);
      if (params_.is_soft ? IsLowered(index, box, kept) : IsSuppressed(box, kept)) continue;
      if (params_.is_soft) lowered[kept] = scratch_.lowered[index].score;
      scratch_.kept[kept] = box;
      rows[kept++ * kRow + 2] = index;
    }
    return kept;
  }

 private:
  size_t CollectCandidates() {
    size_t found = 0;
    for (size_t i = 0; i < params_.count; ++i) {
      if (!IsEnough(scores_[i])) continue;
      if (params_.is_soft) scratch_.lowered[i] = {scores_[i], 0};
      scratch_.heap[found++] = Entry(OrderedKey(scores_[i]), static_cast<uint32_t>(i));
    }
    return found;
  }

  bool IsEnough(float score) const { return !thresholds_.has_min_score || score > thresholds_.min_score; }

  bool IsSuppressed(const Box& box, size_t kept) const {
    return std::any_of(scratch_.kept, scratch_.kept + kept, [&](const Box& other) {
      const float overlap = Overlap(box, other);
      return overlap > 0 && overlap > thresholds_.iou;
    });
  }

  // Lowers a candidate's score by the boxes kept since it was looked at last. True: it changed, and the
  // candidate waits again if its score is still enough.
  bool IsLowered(uint32_t index, const Box& box, size_t kept) {
    Lowered& candidate = scratch_.lowered[index];
    const Lowered before = candidate;
    for (size_t i = kept; i-- > before.seen && IsEnough(candidate.score);) {
      const float overlap = Overlap(box, scratch_.kept[i]);
      candidate.score *=
          overlap <= thresholds_.iou ? std::exp(-0.5f / thresholds_.sigma * overlap * overlap) : 0.0f;
    }
    candidate.seen = static_cast<uint32_t>(kept);
    // A NaN is never equal, but looked at once for each kept box.
    if (candidate.score == before.score || candidate.seen == before.seen) return false;
    if (!IsEnough(candidate.score)) return true;
    scratch_.heap[left_++] = Entry(OrderedKey(candidate.score), index);
    std::push_heap(scratch_.heap, scratch_.heap + left_, IsWorse());
    return true;
  }

  const NmsParams& params_;
  const NmsThresholds& thresholds_;
  const float* boxes_;
  const float* scores_;
  NmsScratch scratch_;
  size_t left_ = 0;  // in the heap
};

size_t CountBytes(const NmsParams& p) { return AlignUp(p.batch * p.classes * sizeof(uint32_t), kAlignment); }

// Moves the rows of every class, which begin `limit` rows apart, together and completes them.
size_t JoinRows(const NmsParams& p, const uint32_t* counts, int64_t* selected, float* lowered) {
  size_t total = 0;
  for (size_t part = 0; part < p.batch * p.classes; ++part) {
    const int64_t* from = selected + part * p.limit * kRow;
    for (size_t i = 0; i < counts[part]; ++i, ++total) {
      const int64_t box = from[i * kRow + 2];
      int64_t* row = selected + total * kRow;
      row[0] = static_cast<int64_t>(part / p.classes);
      row[1] = static_cast<int64_t>(part % p.classes);
      row[2] = box;
      if (p.is_soft) lowered[total] = lowered[part * p.limit + i];
    }
  }
  return total;
}

}  // namespace

size_t NmsScratchBytes(const NmsParams& params, int workers) {
  const size_t counts = BytesOf({params.batch, params.classes, sizeof(uint32_t)});
  size_t bytes = 0;
  const bool fits = CheckedMul(NmsScratch::Bytes(params), static_cast<size_t>(workers), &bytes) &&
                    CheckedAdd(bytes, counts, &bytes);
  return fits ? bytes : kTooManyBytes;
}

size_t RunNms(const NmsParams& p, const NmsThresholds& thresholds, const float* boxes, const float* scores,
              int64_t* selected, float* lowered, void* scratch, const Parallel& parallel) {
  auto* counts = static_cast<uint32_t*>(scratch);
  std::fill_n(counts, p.batch * p.classes, 0u);  // where a run ends early, not all are written
  uint8_t* rest = static_cast<uint8_t*>(scratch) + CountBytes(p);
  ParallelFor(parallel, p.batch * p.classes, [&](size_t part, int worker) {
    const NmsScratch own(p, rest + static_cast<size_t>(worker) * NmsScratch::Bytes(p));
    ClassSelection selection(p, thresholds, boxes + part / p.classes * p.count * 4, scores + part * p.count,
                             own);
    counts[part] = static_cast<uint32_t>(
        selection.Run(selected + part * p.limit * kRow, p.is_soft ? lowered + part * p.limit : nullptr));
  });
  return JoinRows(p, counts, selected, lowered);
}

}  // namespace micrort
