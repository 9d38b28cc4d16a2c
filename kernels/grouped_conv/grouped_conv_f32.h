#pragma once
// Float convolutions whose groups have four or eight channels, in and out, as those of ResNeXt: vectors of
// outputs of several groups, where a matrix product for each group would leave most of a vector empty.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// In builds for x86, and for the converter, which plans for it.
extern const Conv2DAlgorithm kGroupedConvF32;

}  // namespace micrort
