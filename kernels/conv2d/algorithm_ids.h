#pragma once
// Numbers of the algorithms, by which files state them. Never renumbered; what is new goes to the end.

#include <cstdint>

#include "kernels/conv2d/conv2d.h"

namespace micrort {

enum class Conv2DAlgorithmId : uint8_t {
  kUndecided = 0,
  kImplicitGemmF32 = 1,
  kDequantizingGemmF32 = 2,
  kImplicitGemmS8 = 3,
  kDepthwiseF32 = 4,
  kDepthwiseS8 = 5,
  kWinograd2 = 6,
  kWinograd4 = 7,
  kWinograd6 = 8,
  kWinogradS8 = 9,
  kStrassen = 10,
  kSubPixelGemmF32 = 11,
  kSubPixelGemmS8 = 12,
  kSubPixelWinograd2 = 13,
  kSubPixelWinograd4 = 14,
  kWinograd1x2 = 15,
  kImplicitGemmF16 = 16,
  kHalvesGemmF32 = 17,
  kHalvesDepthwiseF32 = 18,
  kHalvesWinograd2 = 19,
  kHalvesWinograd4 = 20,
  kDepthwiseF16 = 21,
  kWinograd2F16 = 22,
  kDirectS16 = 23,
  kImplicitGemmS16 = 24,
  kDepthwiseS16 = 25,
  kInt4Gemm = 26,
  kLast = kInt4Gemm,
};

// kUndecided for an algorithm that has no number.
Conv2DAlgorithmId IdOf(const Conv2DAlgorithm& algorithm);
// null for numbers that no algorithm has, and for algorithms that the build leaves out.
const Conv2DAlgorithm* FindAlgorithm(Conv2DAlgorithmId id);
// Whether a build without float layers (MICRORT_FLOAT_LAYERS=OFF) leaves it out.
bool ComputesFloats(Conv2DAlgorithmId id);

}  // namespace micrort
