#pragma once
// Depthwise convolution of int16 by int8 with exact sums.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Convolutions whose groups are their channels.
extern const Conv2DAlgorithm kDepthwiseS16;

}  // namespace micrort
