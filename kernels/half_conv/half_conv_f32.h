#pragma once
// Layers of half tensors by the algorithms for floats, on CPUs without half arithmetic and for what has no
// kernel in half: some rows at a time become floats, are computed, and are rounded to halves once.

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

extern const Conv2DAlgorithm kHalvesGemmF32;
extern const Conv2DAlgorithm kHalvesDepthwiseF32;
extern const Conv2DAlgorithm kHalvesWinograd2;
extern const Conv2DAlgorithm kHalvesWinograd4;

}  // namespace micrort
