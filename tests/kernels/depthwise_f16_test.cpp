// Depthwise layers in half.

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/conv2d/algorithm_variants.h"
#include "tests/kernels/half_conv_case.h"

namespace micrort::testing {
namespace {

const Conv2DAlgorithm* Depthwise() { return FindAlgorithm(Conv2DAlgorithmId::kDepthwiseF16); }

const ConvShape kDepthwiseShapes[] = {
    {1, 1, 1, 1, 1},
    {2, 9, 23, 40, 40, 3, 1, 1, 1, 40},  // pairs of vectors, and one more
    {1, 8, 14, 16, 16, 3, 1, 1, 1, 16},
    {1, 15, 31, 29, 29, 3, 2, 1, 1, 29},  // channels that fill no vector
    {1, 13, 22, 56, 56, 5, 1, 1, 2, 56},
    {1, 21, 33, 24, 24, 5, 2, 1, 2, 24},
    {1, 12, 15, 8, 8, 7, 1, 1, 3, 8},  // no filter of their own
    {1, 12, 15, 19, 19, 3, 1, 2, 2, 19},
    {1, 5, 4, 33, 33, 3, 1, 1, 1, 33},  // narrower than a tile
    {1, 11, 9, 17, 17, 2, 3, 1, 0, 17},
};

class DepthwiseF16Test : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, DepthwiseF16Test, ::testing::ValuesIn(kDepthwiseShapes));

TEST_P(DepthwiseF16Test, StaysWithinTheErrorOfHalfSums) {
  const Conv2DParams p = MakeParams(GetParam());
  SCOPED_TRACE(Describe(p));
  for (const CpuFeatures features : HalfFeatureSets()) {
    for (const Activation& activation : {Activation{}, Activation{ActivationKind::kClip, 0.1f, 0.9f},
                                         Activation{ActivationKind::kHardSwish}}) {
      HalfConvCase c(p, 3);
      c.floats.p.types.activation = activation;
      c.floats.has_residual = activation.kind == ActivationKind::kNone;
      const std::vector<float> found = c.Run(*Depthwise(), features, 1), expected = c.Expected(),
                               magnitudes = c.Magnitudes();
      // Higham, as of GEMM: a rounding a tap, and those of bias, residual, activation and result.
      const auto roundings = static_cast<float>(p.taps() + 4);
      for (size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], expected[i], 1.01f * roundings * 0x1p-11f * magnitudes[i] + 1e-6f) << i;
      }
      EXPECT_EQ(found, c.Run(*Depthwise(), features, 3));
      EXPECT_EQ(found, c.Run(*Depthwise(), features, 2, c.floats.has_residual));
    }
  }
}

TEST(DepthwiseF16, IsTheChoiceOfLayersThatAllowIt) {
  if (Depthwise() == nullptr) GTEST_SKIP() << "this build knows no half arithmetic";
  Conv2DParams p = HalfConvCase(MakeParams({1, 28, 28, 64, 64, 3, 1, 1, 1, 64}), 1).params();
  EXPECT_EQ(ChooseConv2D(p, {kWithHalf, 1}), Depthwise());
  EXPECT_NE(ChooseConv2D(p, {kCpuNeon | kCpu64Bit, 1}), Depthwise());
  p.types.half = false;
  EXPECT_EQ(IdOf(*ChooseConv2D(p, {kWithHalf, 1})), Conv2DAlgorithmId::kHalvesDepthwiseF32);
}

TEST(DepthwiseF16, HasANameThatLeadsToItsNumber) {
  if (Depthwise() == nullptr) GTEST_SKIP() << "this build knows no half arithmetic";
  const Conv2DParams p = HalfConvCase(MakeParams({1, 9, 9, 16, 16, 3, 1, 1, 1, 16}), 1).params();
  const ConvTarget target = {kWithHalf, 1};
  EXPECT_EQ(FindVariant(Depthwise()->name(p, target)),
            VariantOf(*Depthwise(), Depthwise()->plan(p, target).kernel));
}

}  // namespace
}  // namespace micrort::testing
