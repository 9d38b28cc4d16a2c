#pragma once
// Elements of any type from and to those that are computed in: a part (kernels/base/part.h).

#include "kernels/elementwise/elements.h"

namespace micrort {

// n elements of a type that is not computed in, to the one that it is.
void LoadElements(DType dtype, const void* from, void* to, size_t n);
// The other way, or to a type that another one is computed in.
void StoreElements(ComputeType type, DType dtype, const void* from, void* to, size_t n);

}  // namespace micrort
