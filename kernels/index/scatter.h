#pragma once
// Scattering updates into a tensor. Sequential: where indices repeat, updates meet in their order, and of
// kNone the last one stays.

#include "kernels/index/combine.h"
#include "kernels/index/element_index.h"
#include "kernels/index/tuple_index.h"

namespace micrort {

// What the scattering functions share. Plain data.
struct ScatterRule {
  ScatterReduction reduction;
  size_t element_bytes;
  CombineFn combine;  // null for kNone, which copies
};

// updates has the shape of the indices, which are all in range.
template <typename Index>
void ScatterElements(const ElementIndex& plan, const ScatterRule& rule, const Index* indices,
                     const void* updates, void* data);

// updates: [tuples, block]. Every index is in range.
template <typename Index>
void ScatterND(const TupleIndex& plan, const ScatterRule& rule, const Index* indices, const void* updates,
               void* data);

}  // namespace micrort
