#pragma once
// NumPy's broadcasting, decided once: shapes are reduced to as few dimensions as possible, then walked in
// runs in which every input either advances with the output or stands still.

#include <cstddef>
#include <cstdint>

#include "kernels/base/shape.h"
#include "kernels/base/span.h"

namespace micrort {

constexpr int kMaxBroadcastInputs = 3;       // of one operator
constexpr int kMaxFusedBroadcastInputs = 8;  // of several that run as one

// The shape that `a` and `b` broadcast to. False if they do not.
bool BroadcastShapes(const Shape& a, const Shape& b, Shape* out);

template <int kInputs>
struct BroadcastPlanOf {
  int inputs = 0;
  size_t elements = 0;  // of the output
  size_t run = 1;       // elements of a run
  int rank = 0;         // dimensions outside a run, outermost first
  size_t dims[kMaxRank] = {};
  size_t strides[kInputs][kMaxRank] = {};  // in elements; 0 where the input is broadcast
  size_t run_strides[kInputs] = {};        // 0 or 1
  bool is_dense[kInputs] = {};             // the input has the elements of the output, in its order
};
using BroadcastPlan = BroadcastPlanOf<kMaxBroadcastInputs>;
using FusedBroadcastPlan = BroadcastPlanOf<kMaxFusedBroadcastInputs>;

// Each of `shapes`, at most as many as the plan holds, must broadcast to `out`.
template <typename Plan>
Plan PlanBroadcastOf(Span<const Shape> shapes, const Shape& out);
inline BroadcastPlan PlanBroadcast(Span<const Shape> shapes, const Shape& out) {
  return PlanBroadcastOf<BroadcastPlan>(shapes, out);
}

// Where a run begins, in elements of each input.
template <int kInputs>
class BroadcastCursor {
 public:
  BroadcastCursor(const BroadcastPlanOf<kInputs>& plan, size_t run_index);
  size_t offset(int input) const { return offsets_[input]; }
  void NextRun();

 private:
  const BroadcastPlanOf<kInputs>& plan_;
  size_t index_[kMaxRank] = {};
  size_t offsets_[kInputs] = {};
};

// Writes the elements of `input` (of 1, 2, 4 or 8 bytes) that the output elements [begin, begin + n) come
// from.
template <int kInputs>
void ExpandBroadcast(const BroadcastPlanOf<kInputs>& plan, int input, size_t element_bytes, const void* data,
                     size_t begin, size_t n, void* out);

// Calls f(first, offsets, n) for pieces of runs that cover the output elements [begin, end): the output
// elements [first, first + n) come from input i's elements offsets[i] + k * plan.run_strides[i], 0 <= k < n
// <= max_piece.
template <int kInputs, typename Function>
void ForEachPiece(const BroadcastPlanOf<kInputs>& plan, size_t begin, size_t end, size_t max_piece,
                  Function f) {
  if (begin >= end) return;
  BroadcastCursor<kInputs> cursor(plan, begin / plan.run);
  size_t within = begin % plan.run;
  for (size_t first = begin; first < end;) {
    size_t n = plan.run - within;
    if (n > end - first) n = end - first;
    if (n > max_piece) n = max_piece;
    size_t offsets[kInputs] = {};
    for (int i = 0; i < plan.inputs; ++i) offsets[i] = cursor.offset(i) + within * plan.run_strides[i];
    f(first, offsets, n);
    first += n;
    within += n;
    if (within == plan.run) {
      within = 0;
      cursor.NextRun();
    }
  }
}

}  // namespace micrort
