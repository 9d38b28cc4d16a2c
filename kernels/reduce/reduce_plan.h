#pragma once
// A reduction over any set of axes, brought to as few dimensions as possible. Adjacent axes that are all kept
// or all reduced are one; those of one element vanish.

#include <cstddef>

#include "kernels/base/shape.h"

namespace micrort {

// A number of nested loops, outermost first; strides are in elements of the input.
struct LoopNest {
  int rank = 0;
  size_t sizes[kMaxRank] = {};
  size_t strides[kMaxRank] = {};

  size_t iterations() const;
  // Where iteration `index` begins.
  size_t Offset(size_t index) const;
};

// The output is [kept.iterations()][columns]. Each of its elements is made of reduced.iterations() x rows
// elements, rows `row_stride` apart. Either columns are adjacent in memory, or there is one column and rows
// are adjacent.
struct ReducePlan {
  LoopNest kept;
  LoopNest reduced;
  size_t columns = 1;
  size_t rows = 1;
  size_t row_stride = 1;

  size_t outputs() const { return kept.iterations() * columns; }
  size_t elements_per_output() const { return reduced.iterations() * rows; }
};

// `is_reduced`: one flag an axis.
ReducePlan PlanReduce(const Shape& shape, const bool* is_reduced);

}  // namespace micrort
