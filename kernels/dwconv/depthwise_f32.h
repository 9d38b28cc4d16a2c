#pragma once
// Depthwise convolution in float: one filter a channel.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Convolutions whose groups are their channels. Weights of any type become floats when they are packed.
extern const Conv2DAlgorithm kDepthwiseF32;

}  // namespace micrort
