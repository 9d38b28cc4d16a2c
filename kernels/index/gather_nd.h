#pragma once
// GatherND: one block for every index tuple.

#include "kernels/base/dtype.h"
#include "kernels/base/parallel.h"
#include "kernels/index/tuple_index.h"

namespace micrort {

// y: [tuples, block]. Every index is in range.
template <typename Index>
void GatherND(const TupleIndex& plan, size_t element_bytes, const void* data, const Index* indices, void* y,
              const Parallel& parallel);

// The same with everything decided.
struct GatherNDCall {
  TupleIndex plan;
  size_t element_bytes;
  DType indices;  // int32 or int64
};

// The position of the first index that is out of range, and nothing is written; or plan.indices().
size_t RunGatherND(const GatherNDCall& call, const void* data, const void* indices, void* y,
                   const Parallel& parallel);

}  // namespace micrort
