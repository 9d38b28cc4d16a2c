#pragma once
// The k largest or smallest elements along an axis.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/parallel.h"

namespace micrort {

// x is [outer][n][inner], y and indices are [outer][k][inner]. k <= n < 2^32.
struct TopKParams {
  DType dtype;
  bool largest;
  size_t outer, n, inner, k;
};

// kTooManyBytes: there is no such block.
size_t TopKScratchBytes(const TopKParams& params, int workers);

// Best first; of equal elements the one of lower index first. A NaN counts as larger than any number.
// `indices` may be null.
void RunTopK(const TopKParams& params, const void* x, void* y, int64_t* indices, void* scratch,
             const Parallel& parallel);

}  // namespace micrort
