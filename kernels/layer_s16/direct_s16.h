#pragma once
// Convolution, transposed or not, depthwise convolution and matrix product of int16 activations by int8
// weights: each output is a sum of products in 64 bits. The input is read where it lies.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Sums of this many products stay within 2^46.
constexpr int64_t kMaxDepthS16 = int64_t{1} << 24;

extern const Conv2DAlgorithm kDirectS16;

}  // namespace micrort
