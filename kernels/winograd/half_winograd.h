#pragma once
// Winograd convolution F(2, 3) in half precision, for layers of half tensors and weights that allow it
// (LayerTypes::half). Transformed inputs are divided by four and weights multiplied by it, so that both stay
// in the range of halves; fewer products than of other layers are summed up in half, because transforms
// round, too. docs/winograd.md has the errors.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// So many products are summed up in half at most.
constexpr int64_t kHalfWinogradDepth = 128;

// Not in builds that know no instruction set with half arithmetic.
extern const Conv2DAlgorithm kWinograd2F16;

}  // namespace micrort
