#pragma once
// Implicit GEMM in half precision, for layers with half weights that allow it (LayerTypes::half), from and to
// halves or floats: products are summed up in half over at most kHalfDepth of them, and these sums in float
// (kernels/gemm/half_panel.h). Floats become halves first. What is beyond the range of halves (65504) becomes
// infinite.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Not in builds that know no instruction set with half arithmetic.
extern const Conv2DAlgorithm kImplicitGemmF16;

}  // namespace micrort
