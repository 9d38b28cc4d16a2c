#pragma once
// One convolution for tests: its parameters, seeded operands and a run of any algorithm.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/conv2d/conv2d.h"
#include "kernels/reference/conv2d.h"
#include "tests/kernels/guarded_buffer.h"

namespace micrort::testing {

// A square kernel over `channels` → `columns` with equal padding on all sides.
struct ConvShape {
  int64_t batch, height, width, channels, columns;
  int64_t kernel = 1, stride = 1, dilation = 1, pad = 0, groups = 1;
};

Conv2DParams MakeParams(const ConvShape& shape);
std::string Describe(const Conv2DParams& p);

// Every set of CPU features that this machine has and that changes the choice of a micro-kernel.
std::vector<CpuFeatures> FeatureSets();

struct FloatConvCase {
  Conv2DParams p;
  std::vector<float> x, weights, bias, residual;
  bool has_bias = true, has_residual = false;

  FloatConvCase(const Conv2DParams& params, uint32_t seed);
  std::vector<float> Expected() const;
  // Runs with memory guards around the output; `in_place` lets y take the residual's memory.
  std::vector<float> Run(const Conv2DAlgorithm& algorithm, CpuFeatures features, int workers,
                         bool in_place = false) const;
};

}  // namespace micrort::testing
