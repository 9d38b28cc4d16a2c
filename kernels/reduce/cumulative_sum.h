#pragma once
// Running sums and products along an axis.

#include <cstddef>

#include "kernels/base/dtype.h"
#include "kernels/base/parallel.h"

namespace micrort {

// x and y are [outer][n][inner].
struct CumulativeSumParams {
  DType dtype;
  bool exclusive;  // y[i] does not contain x[i]
  bool reverse;    // from the last to the first
  bool product;    // of products instead of sums
  size_t outer, n, inner;
};

// Whether sums and products of the type exist: 32- and 64-bit types do.
bool HasCumulativeSum(DType dtype);

// x and y do not overlap. Integers wrap.
void RunCumulativeSum(const CumulativeSumParams& params, const void* x, void* y, const Parallel& parallel);

}  // namespace micrort
