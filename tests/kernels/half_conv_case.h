#pragma once
// A convolution of half tensors by half weights.

#include <cstdint>
#include <vector>

#include "kernels/base/target.h"
#include "tests/kernels/conv2d_case.h"

namespace micrort::testing {

constexpr CpuFeatures kWithHalf = kCpuNeon | kCpu64Bit | kCpuFp16;

// Those with half arithmetic, where this CPU has it: none or one.
std::vector<CpuFeatures> HalfFeatureSets();

// The same operands as floats are in `floats`, whose results those of halves are compared with.
struct HalfConvCase {
  FloatConvCase floats;
  std::vector<uint16_t> x, weights, residual;
  bool half_output = true;

  // Of the layer with these sizes and activation.
  HalfConvCase(const Conv2DParams& params, uint32_t seed);

  Conv2DParams params() const;
  ConvWeights Weights() const;
  // The output as floats. `in_place`: y takes the residual's memory.
  std::vector<float> Run(const Conv2DAlgorithm& algorithm, CpuFeatures features, int workers,
                         bool in_place = false) const;
  // What the definition gives, in float. Activations: clamps and hard swish.
  std::vector<float> Expected() const;
  // For each output the sum of absolute products, bias and residual.
  std::vector<float> Magnitudes() const;
};

}  // namespace micrort::testing
