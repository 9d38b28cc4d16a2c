#pragma once
// GatherElements: one element for every index.

#include "kernels/index/element_index.h"

namespace micrort {

// y has the shape of the indices. `bytes`: of an element; 1, 2, 4 or 8. Every index is in range.
template <typename Index>
void GatherElements(const ElementIndex& plan, size_t bytes, const void* data, const Index* indices, void* y);

}  // namespace micrort
