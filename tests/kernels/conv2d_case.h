#pragma once
// One convolution for tests: its parameters, seeded operands and a run of any algorithm.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/conv2d/conv2d.h"
#include "kernels/reference/conv2d.h"
#include "tests/support/random.h"

namespace micrort::testing {

// A square kernel over `channels` → `columns` with equal padding on all sides.
struct ConvShape {
  int64_t batch, height, width, channels, columns;
  int64_t kernel = 1, stride = 1, dilation = 1, pad = 0, groups = 1;
};

// A third of them depthwise.
ConvShape RandomShape(Random& random);
Conv2DParams MakeParams(const ConvShape& shape);
std::string Describe(const Conv2DParams& p);

// The algorithms that this build has, by their ids.
std::vector<const Conv2DAlgorithm*> BuiltAlgorithms();

// Every set of CPU features that this machine has and that changes the choice of a micro-kernel.
std::vector<CpuFeatures> FeatureSets();
// The instruction sets among them that change the choice of a float micro-kernel: products of integers do
// not.
std::vector<CpuFeatures> FloatFeatureSets();

// Runs put memory guards around everything that an algorithm writes, and its tiles into reverse order.
// `in_place` lets y take the residual's memory.
struct FloatConvCase {
  Conv2DParams p;
  std::vector<float> x, weights, bias, residual, slopes;  // slopes: in use where p has kPRelu
  std::vector<uint8_t> narrow_weights;                    // in use where p says so: random, not those above
  std::vector<float> scales;                              // of them, in groups of 32 or one a column
  bool has_bias = true, has_residual = false;

  FloatConvCase(const Conv2DParams& params, uint32_t seed);
  std::vector<float> Expected() const;
  std::vector<float> Run(const Conv2DAlgorithm& algorithm, CpuFeatures features, int workers,
                         bool in_place = false) const;
  // Makes the narrow weights of this type those of the layer, or the floats that they stand for.
  void UseNarrow(DType type);
  void UseFloatsOfNarrow();

 private:
  ConvWeights Weights() const;
};

// int8 weights; x int8 (y int8, float or int32) or dynamic. T is the type of y. Dynamic layers may have int4
// weights, which stand for those in `weights`.
template <typename T>
struct IntegerConvCase {
  Conv2DParams p;
  std::vector<int8_t> x, weights;
  std::vector<float> float_x, float_bias, scales;  // float_x, float_bias: of dynamic layers
  std::vector<float> slopes;                       // in use where p has kPRelu
  std::vector<int32_t> bias, zero_points;          // zero_points: of asymmetric weights
  std::vector<T> residual;
  bool has_residual = false;
  std::vector<uint8_t> int4_weights;  // in use where p says so
  std::vector<float> group_scales;    // of them, for every 32 of a column

  void UseInt4();
  IntegerConvCase(const Conv2DParams& params, uint32_t seed);
  std::vector<T> Expected() const;
  std::vector<T> Run(const Conv2DAlgorithm& algorithm, CpuFeatures features, int workers,
                     bool in_place = false) const;

 private:
  std::vector<T> ExpectedDynamic() const;
};

}  // namespace micrort::testing
