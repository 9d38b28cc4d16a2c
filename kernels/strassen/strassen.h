#pragma once
// Large float matrix products by Strassen's algorithm, one level: seven products of matrices of half the size
// instead of eight, for additions, larger packed weights and sums that round a little differently.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// Layers that are plain matrix products with even depth and columns.
extern const Conv2DAlgorithm kStrassen;

}  // namespace micrort
