#pragma once
// GatherND: one block for every index tuple.

#include "kernels/base/parallel.h"
#include "kernels/index/tuple_index.h"

namespace micrort {

// y: [tuples, block]. Every index is in range.
template <typename Index>
void GatherND(const TupleIndex& plan, size_t element_bytes, const void* data, const Index* indices, void* y,
              const Parallel& parallel);

}  // namespace micrort
