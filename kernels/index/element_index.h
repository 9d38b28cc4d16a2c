#pragma once
// Tensors of indices that stand beside the elements they pick, as in GatherElements and ScatterElements: each
// index replaces one coordinate of its own position.

#include <cstddef>
#include <cstdint>

#include "kernels/base/shape.h"

namespace micrort {

// Where the elements that the indices pick lie in the data. Plain data.
struct ElementIndex {
  int rank = 0;                  // at least 1
  int64_t dims[kMaxRank] = {};   // of the indices
  int64_t steps[kMaxRank] = {};  // of the data, in elements; 0 along the axis
  int64_t axis_step = 0;
  int64_t bound = 0;  // size of the data along the axis
};

// `indices` and `data` have one rank, at least 1, and outside `axis` no dimension of the indices is larger.
ElementIndex PlanElementIndex(const Shape& indices, const Shape& data, int axis);

// Calls f(i, offset) for every index i in order; `offset` is that of the element it picks. Indices are in
// [-bound, bound).
template <typename Index, typename Function>
void ForEachElement(const ElementIndex& plan, const Index* indices, Function f) {
  const int inner = plan.rank - 1;
  int64_t position[kMaxRank] = {};
  size_t rows = 1;
  for (int d = 0; d < inner; ++d) rows *= static_cast<size_t>(plan.dims[d]);
  const auto columns = static_cast<size_t>(plan.dims[inner]);
  if (columns == 0) return;
  size_t i = 0;
  for (size_t row = 0; row < rows; ++row) {
    int64_t base = 0;
    for (int d = 0; d < inner; ++d) base += position[d] * plan.steps[d];
    for (size_t column = 0; column < columns; ++column, ++i) {
      const int64_t index = indices[i] < 0 ? indices[i] + plan.bound : indices[i];
      f(i, static_cast<size_t>(base + static_cast<int64_t>(column) * plan.steps[inner] +
                               index * plan.axis_step));
    }
    for (int d = inner - 1; d >= 0 && ++position[d] == plan.dims[d]; --d) position[d] = 0;
  }
}

}  // namespace micrort
