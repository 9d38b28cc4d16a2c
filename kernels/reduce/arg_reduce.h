#pragma once
// Where along an axis the largest or smallest element is.

#include <cstddef>
#include <cstdint>

#include "kernels/base/parallel.h"
#include "kernels/elementwise/elements.h"

namespace micrort {

struct ArgReduceParams {
  bool largest;  // or smallest
  bool last;     // of equal ones the last, or the first
  DType dtype;
  size_t outer, n, inner;  // the tensor is [outer][n][inner], searched along n >= 1
};

// y: [outer][inner]. A NaN counts as more extreme than any number.
void RunArgReduce(const ArgReduceParams& params, KernelId convert, const void* x, int64_t* y,
                  const Parallel& parallel);

// The same with everything decided.
struct ArgReduceCall {
  ArgReduceParams params;
  KernelId convert;  // SelectConvertF32
};

}  // namespace micrort
