// Layers that multiply and sum up in half precision.

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/base/half.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "kernels/gemm/half_panel.h"
#include "tests/kernels/half_conv_case.h"

namespace micrort::testing {
namespace {

const Conv2DAlgorithm* Algorithm() { return FindAlgorithm(Conv2DAlgorithmId::kImplicitGemmF16); }

// Of floats.
Conv2DParams HalfParams(const ConvShape& shape) {
  Conv2DParams p = MakeParams(shape);
  p.types.weights = DType::kFloat16;
  p.types.half = true;
  return p;
}

const ConvShape kHalfShapes[] = {
    {1, 1, 1, 8, 1},
    {1, 1, 1, 700, 40},   // one row, a depth of several blocks in one tap
    {1, 2, 2, 64, 96},    // four rows
    {1, 5, 1, 33, 16},    // five rows, half of the columns
    {1, 6, 1, 24, 32},    // one whole tile
    {1, 7, 1, 29, 64},    // depths of eight, four and one
    {1, 13, 5, 26, 44},   // what is left of rows, columns and depth
    {2, 17, 9, 257, 71},  // one product over a whole block
    {1, 13, 4, 515, 64},  // three blocks of whole tiles
    {1, 9, 8, 12, 18, 3, 1, 1, 1},
    {2, 15, 14, 3, 33, 3, 2, 1, 1},  // rows of the filter as runs of pixels
    {1, 15, 14, 3, 8, 7, 2, 1, 3},
    {2, 9, 8, 40, 19, 3, 2, 1, 1},   // several blocks of taps
    {1, 7, 7, 300, 20, 3, 1, 1, 1},  // several blocks in each tap
    {1, 8, 8, 24, 30, 3, 1, 2, 2, 3},
    {0, 6, 7, 9, 5, 3, 1, 1, 1},  // no image
};

class Conv2DF16Test : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Conv2DF16Test, ::testing::ValuesIn(kHalfShapes));

// Higham, Accuracy and Stability of Numerical Algorithms, 3.1: n roundings of half the distance of two
// halves, and those of x, bias, residual and result; and what becomes subnormal.
float Bound(const Conv2DParams& p, float magnitude) {
  constexpr float kOthers = 5;
  const auto n = static_cast<float>(std::min(p.depth(), kHalfDepth));
  const auto sums = static_cast<float>((p.depth() + kHalfDepth - 1) / kHalfDepth);
  return 1.01f * (n + kOthers) * 0x1p-11f * magnitude + 0x1p-24f * n * sums + 1e-5f;
}

void ExpectWithinBounds(const Conv2DParams& p, const std::vector<float>& found,
                        const std::vector<float>& expected, const std::vector<float>& magnitudes) {
  ASSERT_EQ(found.size(), expected.size());
  double error = 0, signal = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], Bound(p, magnitudes[i])) << i;
    error += std::pow(static_cast<double>(found[i]) - static_cast<double>(expected[i]), 2);
    signal += std::pow(static_cast<double>(expected[i]), 2);
  }
  // Chance evens out over many; and where nothing is cut off.
  const bool has_ratio = found.size() >= 100 && p.types.activation.kind == ActivationKind::kNone;
  EXPECT_TRUE(!has_ratio || std::sqrt(error) <= 0.004 * std::sqrt(signal));
}

TEST_P(Conv2DF16Test, StaysWithinTheErrorOfHalfSums) {
  const Conv2DParams p = MakeParams(GetParam());
  SCOPED_TRACE(Describe(p));
  for (const CpuFeatures features : HalfFeatureSets()) {
    HalfConvCase c(p, 3);
    const std::vector<float> magnitudes = c.Magnitudes();
    for (const bool has_residual : {false, true}) {
      c.floats.has_residual = has_residual;
      c.floats.has_bias = !has_residual;
      for (const Activation& activation : {Activation{}, Activation{ActivationKind::kClip, 0.1f, 1.7f},
                                           Activation{ActivationKind::kHardSwish}}) {
        c.floats.p.types.activation = activation;
        const std::vector<float> expected = c.Expected();
        for (const bool half_output : {true, false}) {
          c.half_output = half_output;
          const std::vector<float> found = c.Run(*Algorithm(), features, 1);
          ExpectWithinBounds(c.params(), found, expected, magnitudes);
          EXPECT_EQ(found, c.Run(*Algorithm(), features, 2));
          EXPECT_EQ(found, c.Run(*Algorithm(), features, 3, has_residual));
        }
      }
    }
  }
}

// Whose inputs are rounded first.
TEST_P(Conv2DF16Test, TakesFloatsToo) {
  for (const CpuFeatures features : HalfFeatureSets()) {
    const Conv2DParams p = HalfParams(GetParam());
    HalfConvCase halves(MakeParams(GetParam()), 4);
    halves.floats.has_residual = true;
    FloatConvCase c(p, 4);
    c.narrow_weights.assign(reinterpret_cast<const uint8_t*>(halves.weights.data()),
                            reinterpret_cast<const uint8_t*>(halves.weights.data() + halves.weights.size()));
    c.has_residual = true;
    ExpectWithinBounds(p, c.Run(*Algorithm(), features, 2), halves.Expected(), halves.Magnitudes());
  }
}

TEST(Conv2DF16, ReallySumsUpInHalf) {
  for (const CpuFeatures features : HalfFeatureSets()) {
    for (const bool half_output : {true, false}) {
      HalfConvCase c(MakeParams({1, 6, 1, 32, 32}), 1);
      c.half_output = half_output;
      c.floats.has_bias = false;
      std::fill(c.x.begin(), c.x.end(), FloatToHalf(0x1p-12f));
      for (size_t i = 0; i < 6; ++i) c.x[32 * i] = FloatToHalf(1.0f);
      std::fill(c.weights.begin(), c.weights.end(), FloatToHalf(1.0f));
      for (const float y : c.Run(*Algorithm(), features, 1)) EXPECT_EQ(y, 1.0f) << "1 + 2^-12 rounds to 1";
    }
  }
}

// Of blocks of the depth in float, where half would round the second one away.
TEST(Conv2DF16, AddsBlocksInFloat) {
  for (const CpuFeatures features : HalfFeatureSets()) {
    HalfConvCase c(MakeParams({1, 6, 1, 3 * kHalfDepth, 32}), 1);
    c.floats.has_bias = false;
    std::fill(c.x.begin(), c.x.end(), uint16_t{0});
    for (size_t i = 0; i < 6; ++i) {
      const size_t row = 3 * kHalfDepth * i;
      c.x[row] = FloatToHalf(2048.0f);
      c.x[row + kHalfDepth] = c.x[row + 2 * kHalfDepth] = FloatToHalf(1.0f);
    }
    std::fill(c.weights.begin(), c.weights.end(), FloatToHalf(1.0f));
    for (const float y : c.Run(*Algorithm(), features, 1)) EXPECT_EQ(y, 2050.0f);
  }
}

TEST(Conv2DF16, IsTheChoiceOfDeepLayersThatAllowItWhereTheCpuCan) {
  const Conv2DParams p = HalfParams({1, 14, 14, 512, 512});
  ConvTarget target = {kWithHalf, 1};
  if (Algorithm() == nullptr) GTEST_SKIP() << "this build knows no half arithmetic";
  EXPECT_EQ(ChooseConv2D(p, target), Algorithm());
  Conv2DParams forbidden = p;
  forbidden.types.half = false;
  EXPECT_NE(ChooseConv2D(forbidden, target), Algorithm());
  target.features = kCpuNeon | kCpu64Bit;
  EXPECT_FALSE(CanRun(*Algorithm(), p, target));
  EXPECT_NE(ChooseConv2D(p, target), Algorithm());
  EXPECT_EQ(
      ChooseConv2D(HalfConvCase(MakeParams({1, 224, 224, 3, 32, 3, 2, 1, 1}), 1).params(), {kWithHalf, 1}),
      Algorithm());
}

TEST(Conv2DF16, HasANameThatLeadsToItsNumber) {
  if (Algorithm() == nullptr) GTEST_SKIP() << "this build knows no half arithmetic";
  const Conv2DParams p = HalfParams({1, 14, 14, 64, 64});
  const ConvTarget target = {kWithHalf, 1};
  EXPECT_EQ(FindVariant(Algorithm()->name(p, target)),
            VariantOf(*Algorithm(), Algorithm()->plan(p, target).kernel));
}

}  // namespace
}  // namespace micrort::testing
