#pragma once
// Implicit GEMM in half precision, for layers with half weights that allow it (LayerTypes::half): x becomes
// halves first, products are summed up in half over at most kHalfDepth of them, and these sums in float. So
// the error grows with the number of sums, not with the length of one. Activations beyond the range of halves
// (65504) become infinite.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

constexpr int64_t kHalfDepth = 256;

// Not in builds that know no instruction set with half arithmetic.
extern const Conv2DAlgorithm kImplicitGemmF16;

}  // namespace micrort
