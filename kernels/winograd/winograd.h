#pragma once
// Float 3x3 convolution with stride 1 by the algorithms of Winograd: fewer multiplications for more
// additions, larger packed weights and sums that round a little differently.

#include "kernels/conv2d/conv2d.h"

namespace micrort {

extern const Conv2DAlgorithm kWinograd2;  // F(2, 3): 16 products for 4 outputs instead of 36
extern const Conv2DAlgorithm kWinograd4;  // F(4, 3): 36 products for 16 outputs instead of 144

}  // namespace micrort
