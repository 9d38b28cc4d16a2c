#pragma once
// Tensors of index tuples, as in GatherND and ScatterND: a tuple picks a block of adjacent elements.

#include <cstddef>
#include <cstdint>

#include "kernels/base/shape.h"

namespace micrort {

// Data is [batch, bounds..., block]; there are `count` tuples of `length` indices for each batch item. Plain
// data.
struct TupleIndex {
  size_t batch = 1;
  size_t count = 0;
  int length = 0;
  int64_t bounds[kMaxRank] = {};
  size_t steps[kMaxRank] = {};  // between neighbours along each bound, in elements
  size_t batch_step = 0;        // elements of a batch item
  size_t block = 1;             // elements of a block

  size_t tuples() const { return batch * count; }
  size_t indices() const { return tuples() * static_cast<size_t>(length); }
};

// The last dimension of `indices` is the length of a tuple; the first `batch_dims` dimensions of both are
// equal and the batch. batch_dims < rank of the indices, batch_dims + length <= rank of the data.
TupleIndex PlanTupleIndex(const Shape& indices, const Shape& data, int batch_dims);

// The position of the first index outside [-bound, bound) of its place in the tuple, or how many there are.
template <typename Index>
size_t FindBadTupleIndex(const TupleIndex& plan, const Index* indices);

// Where the block of tuple i begins, in elements of the data. Its indices are in range.
template <typename Index>
size_t BlockOffset(const TupleIndex& plan, const Index* indices, size_t i) {
  size_t offset = i / plan.count * plan.batch_step;
  const Index* tuple = indices + i * static_cast<size_t>(plan.length);
  for (int k = 0; k < plan.length; ++k) {
    const int64_t index = tuple[k] < 0 ? tuple[k] + plan.bounds[k] : tuple[k];
    offset += static_cast<size_t>(index) * plan.steps[k];
  }
  return offset;
}

}  // namespace micrort
