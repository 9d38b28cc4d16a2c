#pragma once
// GatherElements: one element for every index.

#include "kernels/base/dtype.h"
#include "kernels/index/element_index.h"

namespace micrort {

// y has the shape of the indices. `bytes`: of an element; 1, 2, 4 or 8. Every index is in range.
template <typename Index>
void GatherElements(const ElementIndex& plan, size_t bytes, const void* data, const Index* indices, void* y);

// The same with everything decided.
struct GatherElementsCall {
  ElementIndex plan;
  size_t element_bytes;
  DType indices;  // int32 or int64
  size_t count;   // of the indices
};

// The position of the first index that is out of range, and nothing is written; or call.count.
size_t RunGatherElements(const GatherElementsCall& call, const void* data, const void* indices, void* y);

}  // namespace micrort
