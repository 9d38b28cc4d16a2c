#include <gmock/gmock.h>

#include "kernels/base/target.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/grouped_conv/grouped_gemm_s8.h"
#include "kernels/implicit_gemm/implicit_gemm_s8.h"
#include "kernels/layer_s8/dynamic_input_s8.h"
#include "kernels/winograd/int8_winograd.h"
#include "kernels/winograd/winograd_s8.h"
#include "tests/kernels/conv2d_case.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

const ConvShape kS8Shapes[] = {
    {1, 1, 1, 1, 1},
    {1, 1, 1, 701, 17},
    {1, 1, 1, 9, 1151},  // one row, whose sums of all panels fit into no buffer
    {9, 1, 1, 64, 40},   // a matrix product
    {2, 5, 7, 4, 16},    // read in place where the micro-kernel needs groups of two or four channels
    {1, 6, 1, 24, 33},
    {2, 9, 8, 5, 7, 3, 1, 1, 1},
    {2, 9, 8, 4, 19, 3, 2, 1, 1},
    {1, 12, 11, 3, 8, 3, 1, 2, 2},
    {2, 21, 35, 6, 21, 3, 1, 1, 1},  // several blocks of tiles, cut within a row
    {1, 3, 4, 33, 16, 3, 1, 1, 0},
    {1, 5, 6, 3641, 2, 3, 1, 1, 1},  // sums of transformed products could leave int32
    {1, 8, 8, 12, 18, 3, 1, 1, 1, 3},
    {1, 6, 6, 8, 8, 1, 2},
    {1, 2, 2, 2, 3, 5, 1, 1, 2},  // more padding than image
    {1, 4, 5, 6, 6, 3, 1, 1, 1, 6},
    {2, 7, 6, 8, 8, 3, 1, 1, 1, 8},
    {3, 7, 9, 83, 83, 3, 2, 1, 1, 83},
    {2, 5, 21, 40, 40, 5, 1, 1, 2, 40},
    {1, 2, 300, 10, 10, 3, 1, 1, 1, 10},  // several tasks in a row
    {1, 4, 61, 16, 16, 3, 1, 1, 1, 16},   // several runs of pixels in a row
    {1, 5, 64, 24, 24, 3, 2, 1, 1, 24},
    {1, 3, 9, 8, 8, 3, 1, 1, 2, 8},  // more padding than half of the filter
    {1, 4, 4, 5, 10, 3, 1, 1, 1, 5},
    {1, 9, 8, 32, 32, 3, 1, 1, 1, 8},   // groups of four channels
    {2, 7, 11, 48, 48, 3, 2, 1, 1, 6},  // of eight
    {1, 12, 5, 16, 16, 5, 1, 2, 4, 4},  // dilated
    {1, 6, 7, 64, 64, 1, 1, 1, 0, 16},  // 1x1
    {1, 5, 6, 14, 35, 3, 1, 1, 1, 7},   // two channels in and five out; sevens of groups
    {1, 6, 5, 48, 24, 3, 1, 1, 1, 3},   // of sixteen channels in
    {1, 9, 64, 128, 128, 3, 1, 1, 1, 32},
};

class Conv2DS8Test : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Conv2DS8Test, ::testing::ValuesIn(kS8Shapes));

// The same bits as the reference, whatever the micro-kernel and the number of workers.
template <typename T>
void ExpectExact(IntegerConvCase<T> c) {
  SCOPED_TRACE(Describe(c.p));
  for (bool has_residual : {false, true}) {
    if (has_residual && (std::is_same_v<T, int32_t> || c.p.types.rounding != Rounding::kExact)) continue;
    c.has_residual = has_residual;
    const std::vector<T> expected = c.Expected();
    bool any = false;
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(c.p)) continue;
      any = true;
      for (CpuFeatures features : FeatureSets()) {
        SCOPED_TRACE(algorithm->name(c.p, {features, 1}));
        EXPECT_EQ(c.Run(*algorithm, features, 1), expected);
        EXPECT_EQ(c.Run(*algorithm, features, 3, has_residual), expected);
      }
    }
    EXPECT_TRUE(any);
  }
}

TEST_P(Conv2DS8Test, Int8ToInt8) { ExpectExact(IntegerConvCase<int8_t>(MakeParams(GetParam()), 1)); }

TEST_P(Conv2DS8Test, Int8ToFloat) { ExpectExact(IntegerConvCase<float>(MakeParams(GetParam()), 2)); }

TEST_P(Conv2DS8Test, Int8ToSums) { ExpectExact(IntegerConvCase<int32_t>(MakeParams(GetParam()), 8)); }

TEST_P(Conv2DS8Test, AsymmetricWeights) {
  Conv2DParams p = MakeParams(GetParam());
  p.types.asymmetric = true;
  ExpectExact(IntegerConvCase<int8_t>(p, 9));
  ExpectExact(IntegerConvCase<float>(p, 10));
  ExpectExact(IntegerConvCase<int32_t>(p, 11));
}

TEST_P(Conv2DS8Test, EachChannelHasASlopeBelowZero) {
  Conv2DParams p = MakeParams(GetParam());
  p.types.activation.kind = ActivationKind::kPRelu;
  ExpectExact(IntegerConvCase<int8_t>(p, 19));
  ExpectExact(IntegerConvCase<float>(p, 20));
  p.types.asymmetric = true;
  ExpectExact(IntegerConvCase<int8_t>(p, 21));
  p.types.asymmetric = false;
  p.types.dynamic = true;
  ExpectExact(IntegerConvCase<float>(p, 22));
}

TEST(Conv2DS8, SlopesOfZeroGiveZeroWhateverTheScales) {
  for (const float y_scale : {1e-38f, 1e30f}) {
    Conv2DParams p = MakeParams({1, 3, 5, 7, 21, 3, 1, 1, 1});
    p.types.activation.kind = ActivationKind::kPRelu;
    IntegerConvCase<int8_t> c(p, 23);
    c.p.types.y_scale = y_scale;
    std::fill(c.slopes.begin(), c.slopes.end(), 0.0f);
    c.has_residual = true;
    c.p.types.residual_scale = 1e20f;
    for (const CpuFeatures features : FeatureSets()) {
      for (const int8_t y : c.Run(kImplicitGemmS8, features, 1)) EXPECT_GE(y, c.p.types.y_zero_point);
    }
  }
}

TEST_P(Conv2DS8Test, TfliteRounding) {
  Conv2DParams p = MakeParams(GetParam());
  p.types.rounding = Rounding::kTflite;
  ExpectExact(IntegerConvCase<int8_t>(p, 12));
  p.types.asymmetric = true;
  p.types.float_product = true;
  ExpectExact(IntegerConvCase<int8_t>(p, 13));
}

TEST_P(Conv2DS8Test, DynamicQuantization) {
  Conv2DParams p = MakeParams(GetParam());
  p.types.dynamic = true;
  ExpectExact(IntegerConvCase<float>(p, 3));
  p.types.symmetric = true;
  ExpectExact(IntegerConvCase<float>(p, 17));
}

TEST_P(Conv2DS8Test, DynamicQuantizationWithInt4Weights) {
  Conv2DParams p = MakeParams(GetParam());
  if (p.group_channels() % 2 != 0) GTEST_SKIP() << "int4 weights fill bytes";
  p.types.dynamic = true;
  IntegerConvCase<float> c(p, 18);
  c.UseInt4();
  ExpectExact(c);
}

TEST(Conv2DS8, ClampsInUnitsOfTheOutput) {
  Conv2DParams p = MakeParams({1, 3, 5, 7, 21, 3, 1, 1, 1});
  p.types.activation = {ActivationKind::kClip, 0.0f, 1.5f};
  ExpectExact(IntegerConvCase<int8_t>(p, 4));
  ExpectExact(IntegerConvCase<float>(p, 5));
  p.types.activation = {ActivationKind::kClip, -1e30f, -1e20f};  // beyond what int8 holds
  ExpectExact(IntegerConvCase<int8_t>(p, 6));
}

TEST(Conv2DS8, TfliteRoundingOfAllSizesOfScales) {
  for (const float y_scale : {1e-6f, 1e-4f, 3e-3f, 0.02f, 0.5f, 3e4f}) {
    Conv2DParams p = MakeParams({2, 3, 5, 7, 45, 3, 1, 1, 1});
    p.types.rounding = Rounding::kTflite;
    p.types.activation = {ActivationKind::kClip, -100.5f * y_scale, 60.5f * y_scale};
    IntegerConvCase<int8_t> c(p, 16);
    c.p.types.y_scale = y_scale;
    ExpectExact(c);
  }
}

TEST(Conv2DS8, ExtremesDoNotOverflow) {
  for (int8_t w : {int8_t{-128}, int8_t{127}}) {
    IntegerConvCase<int8_t> c(MakeParams({1, 4, 4, 32, 20, 3, 1, 1, 1}), 7);
    std::fill(c.x.begin(), c.x.end(), int8_t{-128});
    std::fill(c.weights.begin(), c.weights.end(), w);
    ExpectExact(c);
  }
}

TEST(Conv2DS8, WinogradIsExactUpToItsLimitOfChannels) {
  for (int8_t w : {int8_t{-128}, int8_t{127}}) {
    IntegerConvCase<int32_t> c(MakeParams({1, 4, 4, kMaxWinogradS8Channels, 2, 3, 1, 1, 1}), 12);
    ASSERT_TRUE(kWinogradS8.applicable(c.p));
    std::fill(c.x.begin(), c.x.end(), int8_t{-128});
    std::fill(c.weights.begin(), c.weights.end(), w);
    ExpectExact(c);
  }
  const IntegerConvCase<int32_t> wider(MakeParams({1, 4, 4, kMaxWinogradS8Channels + 1, 2, 3, 1, 1, 1}), 13);
  EXPECT_FALSE(kWinogradS8.applicable(wider.p));
}

TEST(Conv2DS8, A3x3LayerTakesWinogradWhereThereAreNoDotProducts) {
  const Conv2DParams p = IntegerConvCase<int8_t>(MakeParams({1, 28, 28, 64, 64, 3, 1, 1, 1}), 14).p;
  for (const GemmS8Kernel& kernel : GemmS8Kernels()) {
    SCOPED_TRACE(kernel.name);
    const bool dot_products = kernel.left != GemmS8Left::kInt8Pairs && (kernel.kr == 4 || kernel.kr == 8);
    // Microcontrollers have no memory for it.
    const bool is_small = (kernel.features & kCpuMicrocontroller) != 0;
    EXPECT_EQ(ChooseConv2D(p, {kernel.features, 1}),
              dot_products || is_small ? &kImplicitGemmS8 : &kWinogradS8);
  }
}

TEST(Conv2DS8, GroupsThatShareAPanelAreMultipliedTogether) {
  for (const GemmS8Kernel& kernel : GemmS8Kernels()) {
    SCOPED_TRACE(kernel.name);
    const auto half = static_cast<int64_t>(kernel.nr / 2);
    if (half < 2) continue;
    const bool is_small = (kernel.features & kCpuMicrocontroller) != 0;
    const auto chosen = [&](int64_t channels, int64_t groups) {
      const ConvShape shape = {1, 14, 14, groups * channels, groups * channels, 3, 1, 1, 1, groups};
      return ChooseConv2D(IntegerConvCase<int8_t>(MakeParams(shape), 14).p, {kernel.features, 1});
    };
    EXPECT_EQ(chosen(half, 4), is_small ? &kImplicitGemmS8 : &kGroupedGemmS8);
    EXPECT_EQ(chosen(2 * half, 4), &kImplicitGemmS8);
  }
}

TEST(Conv2DS8, WinogradNeedsAboutAsMuchScratchAsTheLayerHasData) {
  const Conv2DParams p = IntegerConvCase<int8_t>(MakeParams({1, 32, 32, 16, 16, 3, 1, 1, 1}), 15).p;
  const uint64_t data = 2 * 32 * 32 * 16 + 9 * 16 * 16;
  for (const CpuFeatures features : FeatureSets()) {
    EXPECT_LE(ScratchBytes(kWinogradS8, p, {features, 1}), data + data / 2);
  }
}

TEST(Conv2DS8, RandomShapes) {
  for (uint32_t seed = 200; seed < 230; ++seed) {
    Random random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    ExpectExact(IntegerConvCase<int8_t>(MakeParams(RandomShape(random)), seed));
  }
}

TEST(ChooseQuantization, HoldsZeroExactly) {
  EXPECT_EQ(ChooseQuantization({2.0f, 5.1f}).zero_point, -128);
  EXPECT_EQ(ChooseQuantization({-5.1f, -2.0f}).zero_point, 127);
  EXPECT_NEAR(ChooseQuantization({-1.0f, 1.55f}).scale, 0.01f, 1e-7f);
  EXPECT_EQ(ChooseQuantization({-1.0f, 1.55f}).zero_point, -28);
}

TEST(ChooseQuantization, SymmetricMakesTheLargestMagnitude127) {
  EXPECT_EQ(ChooseQuantization({-2.54f, 1.0f}, true).zero_point, 0);
  EXPECT_FLOAT_EQ(ChooseQuantization({-2.54f, 1.0f}, true).scale, 0.02f);
  EXPECT_FLOAT_EQ(ChooseQuantization({1.0f, 2.54f}, true).scale, 0.02f);
}

TEST(ChooseQuantization, SurvivesUnusableRanges) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const MinMax range : {MinMax{0, 0}, MinMax{infinity, -infinity}, MinMax{-infinity, infinity},
                             MinMax{0, std::numeric_limits<float>::denorm_min()}}) {
    for (const bool symmetric : {false, true}) {
      const QuantizationParams q = ChooseQuantization(range, symmetric);
      EXPECT_EQ(q.scale, 1.0f);
      EXPECT_EQ(q.zero_point, 0);
    }
  }
  const float huge = std::numeric_limits<float>::max();
  EXPECT_GT(ChooseQuantization({-huge, huge}).scale, 1e36f);
}

}  // namespace
}  // namespace micrort::testing
