#pragma once
// The cost of depthwise convolution, in the unit of Conv2DAlgorithm::cost.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Every product loads its operand, so it costs about as much as four of a matrix product.
inline double DepthwiseCost(const Conv2DParams& p) {
  return 4.0 * static_cast<double>(p.rows()) * static_cast<double>(p.out_c) * static_cast<double>(p.taps());
}

}  // namespace micrort
