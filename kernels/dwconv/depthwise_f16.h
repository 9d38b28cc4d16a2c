#pragma once
// Depthwise convolution in half: one filter a channel.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// From halves to halves. Not in builds that know no instruction set with half arithmetic.
extern const Conv2DAlgorithm kDepthwiseF16;

}  // namespace micrort
