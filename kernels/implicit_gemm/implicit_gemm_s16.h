#pragma once
// Implicit GEMM of int16 activations by int8 weights.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Any convolution whose depth is at most 8,160.
extern const Conv2DAlgorithm kImplicitGemmS16;

}  // namespace micrort
