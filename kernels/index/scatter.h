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
  DType dtype;  // of the elements; one that SelectCombine knows, unless they are replaced
};

// updates has the shape of the indices, which are all in range.
template <typename Index>
void ScatterElements(const ElementIndex& plan, const ScatterRule& rule, const Index* indices,
                     const void* updates, void* data);

// updates: [tuples, block]. Every index is in range.
template <typename Index>
void ScatterND(const TupleIndex& plan, const ScatterRule& rule, const Index* indices, const void* updates,
               void* data);

// The same with everything decided: into a copy of the data.
struct ScatterNDCall {
  TupleIndex plan;
  ScatterRule rule;
  DType indices;  // int32 or int64
  size_t data_bytes;
};
struct ScatterElementsCall {
  ElementIndex plan;
  ScatterRule rule;
  DType indices;
  size_t count;  // of the indices
  size_t data_bytes;
};

// The position of the first index that is out of range, and nothing is written; or how many there are
// (plan.indices(), call.count). y may be the data.
size_t RunScatterND(const ScatterNDCall& call, const void* data, const void* indices, const void* updates,
                    void* y);
size_t RunScatterElements(const ScatterElementsCall& call, const void* data, const void* indices,
                          const void* updates, void* y);

}  // namespace micrort
