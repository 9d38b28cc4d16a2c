#pragma once
// Numbers of the algorithms, by which files state them.

#include <cstdint>

#include "kernels/conv2d/conv2d.h"

namespace micrort {

enum class Conv2DAlgorithmId : uint8_t {
  kUndecided = 0,
#define MICRORT_CONV2D(algorithm, number, ...) algorithm = number,
#include "kernels/conv2d/algorithms.inc"
#undef MICRORT_CONV2D
  kLast = kGroupedGemmS8,
};

// kUndecided for an algorithm that has no number.
Conv2DAlgorithmId IdOf(const Conv2DAlgorithm& algorithm);
// null for numbers that no algorithm has, and for algorithms that the build leaves out.
const Conv2DAlgorithm* FindAlgorithm(Conv2DAlgorithmId id);
// Whether a build without float layers (MICRORT_FLOAT_LAYERS=OFF) leaves it out.
bool ComputesFloats(Conv2DAlgorithmId id);

}  // namespace micrort
