#pragma once
// Depthwise convolution in int8 with exact sums.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Convolutions whose groups are their channels; int8 activations, or float ones that are quantized as the
// layer runs.
extern const Conv2DAlgorithm kDepthwiseS8;

}  // namespace micrort
