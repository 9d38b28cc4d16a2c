#pragma once
// Convolution as a product of int8 matrices with exact sums. The rows of the left matrix are gathered, a
// block at a time, into the form that the micro-kernel reads.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// int8 activations, or float ones that are quantized as the layer runs.
extern const Conv2DAlgorithm kImplicitGemmS8;

}  // namespace micrort
