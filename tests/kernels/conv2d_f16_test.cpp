// Layers that multiply and sum up in half precision.

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/base/half.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "kernels/implicit_gemm/implicit_gemm_f16.h"
#include "tests/kernels/conv2d_case.h"

namespace micrort::testing {
namespace {

constexpr CpuFeatures kWithHalf = kCpuNeon | kCpu64Bit | kCpuFp16;

const Conv2DAlgorithm* Algorithm() { return FindAlgorithm(Conv2DAlgorithmId::kImplicitGemmF16); }

Conv2DParams HalfParams(const ConvShape& shape) {
  Conv2DParams p = MakeParams(shape);
  p.types.weights = DType::kFloat16;
  p.types.half = true;
  return p;
}

// Of every instruction set that is here and has half arithmetic.
std::vector<CpuFeatures> HalfFeatureSets() {
  std::vector<CpuFeatures> sets;
  for (const CpuFeatures features : FeatureSets()) {
    if ((features & kWithHalf) == kWithHalf) sets.push_back(features);
  }
  return sets;
}

const ConvShape kHalfShapes[] = {
    {1, 1, 1, 8, 1},
    {1, 1, 1, 700, 40},   // one row, a depth of several blocks in one tap
    {1, 2, 2, 64, 96},    // four rows
    {1, 5, 1, 33, 16},    // five rows, half of the columns
    {1, 6, 1, 24, 32},    // one whole tile
    {1, 13, 5, 26, 44},   // what is left of rows, columns and depth
    {2, 17, 9, 257, 71},  // one product over a whole block
    {1, 9, 8, 12, 18, 3, 1, 1, 1},
    {2, 9, 8, 40, 19, 3, 2, 1, 1},   // several blocks of taps
    {1, 7, 7, 300, 20, 3, 1, 1, 1},  // several blocks in each tap
    {1, 8, 8, 24, 30, 3, 1, 2, 2, 3},
    {0, 6, 7, 9, 5, 3, 1, 1, 1},  // no image
};

class Conv2DF16Test : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Conv2DF16Test, ::testing::ValuesIn(kHalfShapes));

// A case with weights that halves hold exactly, and what float makes of it.
struct HalfCase {
  FloatConvCase half, floats;

  HalfCase(const Conv2DParams& p, uint32_t seed) : half(p, seed), floats(p, seed) {
    floats.UseFloatsOfNarrow();
    floats.p.types.half = false;
  }
  // The sum of the absolute products of each output.
  std::vector<float> Magnitudes() const {
    FloatConvCase c = floats;
    c.p.types.activation = {};
    for (float& x : c.x) x = std::fabs(x);
    for (float& w : c.weights) w = std::fabs(w);
    c.has_bias = c.has_residual = false;
    return c.Expected();
  }
};

// Higham, Accuracy and Stability of Numerical Algorithms, 3.1: n roundings of half the distance of two
// halves, and those of x; and what becomes subnormal.
float Bound(const Conv2DParams& p, float magnitude) {
  const auto n = static_cast<float>(std::min(p.depth(), kHalfDepth));
  const auto sums = static_cast<float>((p.depth() + kHalfDepth - 1) / kHalfDepth);
  return 1.01f * (n + 1) * 0x1p-11f * magnitude + 0x1p-24f * n * sums + 1e-5f;
}

TEST_P(Conv2DF16Test, StaysWithinTheErrorOfHalfSums) {
  const Conv2DParams p = HalfParams(GetParam());
  SCOPED_TRACE(Describe(p));
  for (const CpuFeatures features : HalfFeatureSets()) {
    HalfCase c(p, 3);
    const std::vector<float> magnitudes = c.Magnitudes();
    for (const bool has_residual : {false, true}) {
      c.half.has_residual = c.floats.has_residual = has_residual;
      c.half.has_bias = c.floats.has_bias = !has_residual;
      const std::vector<float> expected = c.floats.Expected();
      const std::vector<float> found = c.half.Run(*Algorithm(), features, 1);
      ASSERT_EQ(found.size(), expected.size());
      double error = 0, signal = 0;
      for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], Bound(p, magnitudes[i])) << i;
        error += std::pow(static_cast<double>(found[i]) - expected[i], 2);
        signal += std::pow(static_cast<double>(expected[i]), 2);
      }
      EXPECT_LE(std::sqrt(error), 0.004 * std::sqrt(signal));
      EXPECT_EQ(found, c.half.Run(*Algorithm(), features, 2));
      EXPECT_EQ(found, c.half.Run(*Algorithm(), features, 3, has_residual));
    }
  }
}

TEST(Conv2DF16, ReallySumsUpInHalf) {
  for (const CpuFeatures features : HalfFeatureSets()) {
    FloatConvCase c(HalfParams({1, 6, 1, 32, 32}), 1);
    c.has_bias = false;
    std::fill(c.x.begin(), c.x.end(), 0x1p-12f);
    for (int64_t i = 0; i < 6; ++i) c.x[static_cast<size_t>(32 * i)] = 1.0f;
    const uint16_t one = FloatToHalf(1.0f);
    for (size_t i = 0; i + 1 < c.narrow_weights.size(); i += 2) {
      c.narrow_weights[i] = static_cast<uint8_t>(one);
      c.narrow_weights[i + 1] = static_cast<uint8_t>(one >> 8);
    }
    for (const float y : c.Run(*Algorithm(), features, 1)) EXPECT_EQ(y, 1.0f) << "1 + 2^-12 rounds to 1";
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
  EXPECT_NE(ChooseConv2D(HalfParams({1, 56, 56, 3, 64}), {kWithHalf, 1}), Algorithm()) << "too few channels";
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
