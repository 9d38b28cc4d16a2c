#pragma once
// Reductions in double precision: the oracle of tests.

#include "kernels/base/shape.h"
#include "kernels/reduce/reduce_kind.h"

namespace micrort::reference {

// y: the kept elements in order. `is_reduced`: one flag an axis. kArgMax and kArgMin give the first of equal
// elements and want exactly one axis.
void Reduce(ReduceKind kind, const double* x, const Shape& shape, const bool* is_reduced, double* y);

}  // namespace micrort::reference
