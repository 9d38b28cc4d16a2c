#pragma once
// Convolution as a matrix product over pointers to input pixels: no copy of the input is made.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Float activations; weights of any type become floats when they are packed.
extern const Conv2DAlgorithm kImplicitGemmF32;
// Weights stay in half, int8 or int4 and become floats, a block at a time, as they are multiplied. Computes
// the same numbers.
extern const Conv2DAlgorithm kDequantizingGemmF32;

}  // namespace micrort
