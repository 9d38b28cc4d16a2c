#pragma once
// NumPy's broadcasting, decided once: shapes are reduced to as few dimensions as possible, then walked in
// runs in which every input either advances with the output or stands still.

#include <cstddef>
#include <cstdint>

#include "kernels/base/shape.h"
#include "kernels/base/span.h"

namespace micrort {

constexpr int kMaxBroadcastInputs = 3;

// The shape that `a` and `b` broadcast to. False if they do not.
bool BroadcastShapes(const Shape& a, const Shape& b, Shape* out);

struct BroadcastPlan {
  int inputs = 0;
  size_t elements = 0;  // of the output
  size_t run = 1;       // elements of a run
  int rank = 0;         // dimensions outside a run, outermost first
  size_t dims[kMaxRank] = {};
  size_t strides[kMaxBroadcastInputs][kMaxRank] = {};  // in elements; 0 where the input is broadcast
  size_t run_strides[kMaxBroadcastInputs] = {};        // 0 or 1
  bool is_dense[kMaxBroadcastInputs] = {};  // the input has the elements of the output, in its order
};

// Each of `shapes` must broadcast to `out`.
BroadcastPlan PlanBroadcast(Span<const Shape> shapes, const Shape& out);

// Where a run begins, in elements of each input.
class BroadcastCursor {
 public:
  BroadcastCursor(const BroadcastPlan& plan, size_t run_index);
  size_t offset(int input) const { return offsets_[input]; }
  void NextRun();

 private:
  const BroadcastPlan& plan_;
  size_t index_[kMaxRank] = {};
  size_t offsets_[kMaxBroadcastInputs] = {};
};

// Writes the elements of `input` (of 1, 2, 4 or 8 bytes) that the output elements [begin, begin + n) come
// from.
void ExpandBroadcast(const BroadcastPlan& plan, int input, size_t element_bytes, const void* data,
                     size_t begin, size_t n, void* out);

// Calls f(first, offsets, n) for pieces of runs that cover the output elements [begin, end): the output
// elements [first, first + n) come from input i's elements offsets[i] + k * plan.run_strides[i], 0 <= k < n
// <= max_piece.
template <typename Function>
void ForEachPiece(const BroadcastPlan& plan, size_t begin, size_t end, size_t max_piece, Function f) {
  if (begin >= end) return;
  BroadcastCursor cursor(plan, begin / plan.run);
  size_t within = begin % plan.run;
  for (size_t first = begin; first < end;) {
    size_t n = plan.run - within;
    if (n > end - first) n = end - first;
    if (n > max_piece) n = max_piece;
    size_t offsets[kMaxBroadcastInputs] = {};
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
