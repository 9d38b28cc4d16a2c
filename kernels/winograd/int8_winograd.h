#pragma once
// int8 3x3 convolution with stride 1 by the algorithm of Winograd F(2, 3), with exact sums: 16 products for 4
// outputs instead of 36, packed weights 3.6 times as large.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// int8 activations, or float ones that are quantized as the layer runs.
extern const Conv2DAlgorithm kWinogradS8;

}  // namespace micrort
