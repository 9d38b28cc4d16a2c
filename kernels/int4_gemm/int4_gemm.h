#pragma once
// Matrix product of int4 weights, which stay 4 bits until they are multiplied, and float activations that are
// quantized as the layer runs, one scale a row and group of weights. Convolutions of one pixel are products,
// too.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

extern const Conv2DAlgorithm kInt4Gemm;

}  // namespace micrort
