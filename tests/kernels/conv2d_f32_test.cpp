#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <string>

#include "kernels/gemm/gemm_f32.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/winograd/winograd.h"
#include "tests/kernels/conv2d_case.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

const ConvShape kF32Shapes[] = {
    {1, 1, 1, 1, 1},
    {1, 1, 1, 700, 17},   // a depth of several blocks in one tap
    {1, 1, 1, 530, 290},  // one row over several panels
    {2, 5, 7, 3, 16},
    {1, 6, 1, 24, 33},
    {1, 13, 5, 26, 44},
    {101, 1, 1, 40, 98},
    {1, 9, 8, 5, 7, 3, 1, 1, 1},
    {2, 9, 8, 4, 19, 3, 2, 1, 1},
    {1, 12, 11, 3, 8, 3, 1, 2, 2},
    {1, 7, 7, 80, 20, 3, 1, 1, 1},    // several blocks of taps
    {1, 3, 3, 600, 9, 3, 1, 1, 1},    // several blocks in each tap
    {2, 13, 8, 24, 35, 3, 1, 1, 1},   // tiles of 6x6 that end outside the image
    {1, 40, 37, 33, 40, 3, 1, 1, 0},  // several blocks of them
    {1, 2, 15, 17, 5, 3, 1, 1, 2},
    {0, 6, 7, 9, 5, 3, 1, 1, 1},  // no image
    {1, 8, 8, 12, 18, 3, 1, 1, 1, 3},
    {1, 6, 6, 8, 8, 1, 2},
    {1, 2, 2, 2, 3, 5, 1, 1, 2},  // more padding than image
    {1, 4, 5, 6, 6, 3, 1, 1, 1, 6},
    {3, 13, 17, 10, 48, 3, 2, 1, 1},
    {1, 19, 23, 3, 24, 7, 2, 1, 3},  // few channels: rows of the filter in one run
    {2, 5, 14, 1, 10, 3, 1, 1, 1},
    {1, 9, 19, 12, 20, 3, 1, 5, 5},     // taps outside of the image for whole tiles, several in a block
    {2, 11, 17, 600, 9, 3, 1, 6, 6},    // and several blocks in each
    {1, 17, 9, 12, 18, 3, 2, 4, 4, 3},  // in groups
    {1, 3, 3, 40, 70, 2, 1, 2, 7},      // filters that lie in the padding
    {1, 1, 1, 1, 1, 3, 1, 1, 1},        // depthwise from here on
    {2, 7, 6, 8, 8, 3, 1, 1, 1, 8},
    {1, 7, 9, 19, 19, 3, 2, 1, 1, 19},
    {1, 11, 5, 43, 43, 5, 1, 2, 4, 43},
    {1, 7, 16, 24, 24, 3, 1, 1, 1, 24},  // several tiles in a row
    {2, 9, 31, 44, 44, 3, 2, 1, 1, 44},
    {1, 5, 9, 34, 34, 3, 1, 1, 2, 34},  // more padding than half of the filter
    {1, 8, 17, 40, 40, 5, 1, 1, 2, 40},
    {1, 13, 26, 20, 20, 5, 2, 1, 2, 20},
    {1, 3, 10, 9, 9, 4, 3, 1, 0, 9},
    {1, 9, 22, 20, 20, 7, 1, 1, 3, 20},
    {2, 10, 27, 36, 36, 7, 2, 1, 3, 36},
    {1, 2, 300, 10, 10, 3, 1, 1, 1, 10},    // several tasks in a row
    {1, 4, 20, 600, 600, 3, 1, 1, 1, 600},  // several tasks in depth
    {1, 4, 4, 5, 10, 3, 1, 1, 1, 5},
    {1, 9, 8, 32, 32, 3, 1, 1, 1, 8},   // groups of four channels
    {2, 7, 11, 48, 48, 3, 2, 1, 1, 6},  // groups of eight
    {1, 12, 5, 16, 16, 5, 1, 2, 4, 4},
    {1, 6, 7, 64, 64, 1, 1, 1, 0, 16},
};

class Conv2DF32Test : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Conv2DF32Test, ::testing::ValuesIn(kF32Shapes));

// Float sums over `depth` products of numbers in [-1, 1].
float Tolerance(const Conv2DParams& p) { return 1e-6f * static_cast<float>(8 + p.depth()); }

// So these tests run each of them once.
TEST_P(Conv2DF32Test, InstructionsForIntegersChangeNoMicroKernel) {
  const Conv2DParams p = MakeParams(GetParam());
  const auto names = [&](const std::vector<CpuFeatures>& sets) {
    std::set<std::string> names;
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(p)) continue;
      for (CpuFeatures features : sets) names.insert(algorithm->name(p, {features, 1}));
    }
    return names;
  };
  EXPECT_EQ(names(FloatFeatureSets()), names(FeatureSets()));
}

TEST_P(Conv2DF32Test, EveryAlgorithmAndMicroKernelMatchesTheReference) {
  const Conv2DParams p = MakeParams(GetParam());
  SCOPED_TRACE(Describe(p));
  FloatConvCase c(p, 1);
  for (bool has_residual : {false, true}) {
    c.has_residual = has_residual;
    c.has_bias = !has_residual;
    const std::vector<float> expected = c.Expected();
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(p)) continue;
      for (CpuFeatures features : FloatFeatureSets()) {
        SCOPED_TRACE(algorithm->name(c.p, {features, 1}));
        const std::vector<float> one = c.Run(*algorithm, features, 1);
        EXPECT_THAT(one, EachNear(expected, Tolerance(p)));
        EXPECT_EQ(one, c.Run(*algorithm, features, has_residual ? 3 : 2, has_residual));
      }
    }
  }
}

TEST_P(Conv2DF32Test, EachChannelHasASlopeBelowZero) {
  Conv2DParams p = MakeParams(GetParam());
  p.types.activation.kind = ActivationKind::kPRelu;
  SCOPED_TRACE(Describe(p));
  FloatConvCase c(p, 7);
  for (bool has_residual : {false, true}) {
    c.has_residual = has_residual;
    const std::vector<float> expected = c.Expected();
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(p)) continue;
      for (CpuFeatures features : FloatFeatureSets()) {
        SCOPED_TRACE(algorithm->name(c.p, {features, 1}));
        EXPECT_THAT(c.Run(*algorithm, features, has_residual ? 3 : 1, has_residual),
                    EachNear(expected, 1.5f * Tolerance(p)));
      }
    }
  }
}

TEST_P(Conv2DF32Test, NarrowWeightsGiveTheSameBitsAsTheFloatsThatTheyStandFor) {
  const Conv2DParams p = MakeParams(GetParam());
  SCOPED_TRACE(Describe(p));
  FloatConvCase narrow(p, 5);
  for (const DType type : {DType::kFloat16, DType::kInt8, DType::kInt4}) {
    if (type == DType::kInt4 && p.group_channels() % 2 != 0) continue;
    SCOPED_TRACE(Name(type));
    narrow.UseNarrow(type);
    FloatConvCase floats = narrow;
    floats.UseFloatsOfNarrow();
    ASSERT_TRUE(kDequantizingGemmF32.applicable(narrow.p));
    ASSERT_FALSE(kDequantizingGemmF32.applicable(floats.p));
    for (CpuFeatures features : FloatFeatureSets()) {
      SCOPED_TRACE(IsaName(features));
      const std::vector<float> expected = floats.Run(kImplicitGemmF32, features, 1);
      EXPECT_EQ(narrow.Run(kImplicitGemmF32, features, 1), expected);
      EXPECT_EQ(narrow.Run(kDequantizingGemmF32, features, 1), expected);
      EXPECT_EQ(narrow.Run(kDequantizingGemmF32, features, 3), expected);
    }
  }
}

TEST(Conv2DF32, NarrowWeightsOfLargeMatricesArePackedInTheirOwnSize) {
  const ConvTarget target = {FeatureSets().back(), 1};
  if (StrongestIsa(target.features) == kCpuSse41 || StrongestIsa(target.features) == kCpuSimd128)
    GTEST_SKIP() << "takes floats, which it has no instruction to make of halves";
  for (const int64_t rows : {1, 4, 32}) {
    Conv2DParams p = MakeParams({rows, 1, 1, 4096, 4096});
    const auto bytes = [&](DType type) {
      p.types.weights = type;
      return ChooseConv2D(p, target)->packed_bytes(p, target);
    };
    constexpr uint64_t kWeights = 4096 * 4096, kScales = 4096 * sizeof(float);
    EXPECT_EQ(bytes(DType::kFloat16), 2 * kWeights);
    EXPECT_EQ(bytes(DType::kInt8), kWeights + kScales);
    EXPECT_EQ(bytes(DType::kInt4), kWeights / 2 + kScales * 4096 / 32);
  }
}

TEST(Conv2DF32, SmallWeightsThatManyRowsReadArePackedAsFloats) {
  const ConvTarget target = {FeatureSets().back(), 1};
  Conv2DParams p = MakeParams({3136, 1, 1, 64, 64});
  for (const DType type : {DType::kFloat16, DType::kInt8, DType::kInt4}) {
    p.types.weights = type;
    EXPECT_EQ(ChooseConv2D(p, target), &kImplicitGemmF32);
  }
}

TEST(Conv2DF32, ClampsAfterBiasAndResidual) {
  Conv2DParams p = MakeParams({1, 3, 5, 7, 21, 3, 1, 1, 1});
  p.types.activation = {ActivationKind::kClip, 0.0f, 0.75f};
  FloatConvCase c(p, 2);
  c.has_residual = true;
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    if (!algorithm->applicable(p)) continue;
    for (CpuFeatures features : FloatFeatureSets()) {
      EXPECT_THAT(c.Run(*algorithm, features, 2), EachNear(c.Expected(), Tolerance(p)));
    }
  }
}

TEST(Conv2DF32, AppliesActivationsThatAreNoClamp) {
  for (int64_t groups : {1, 12}) {
    Conv2DParams p = MakeParams({1, 4, 5, 12, 12, 3, 1, 1, 1, groups});
    FloatConvCase c(p, 3);
    std::vector<float> expected = c.Expected();
    for (float& v : expected) v = v > 0 ? v : 0.125f * v;
    c.p.types.activation = {ActivationKind::kLeakyRelu, 0.125f, 0.0f};
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(p)) continue;
      for (CpuFeatures features : FloatFeatureSets()) {
        EXPECT_THAT(c.Run(*algorithm, features, 2), EachNear(expected, Tolerance(p)));
      }
    }
  }
}

TEST(Conv2DF32, ADepthwiseLayerTakesTheDepthwiseAlgorithm) {
  const Conv2DParams p = MakeParams({1, 28, 28, 64, 64, 3, 1, 1, 1, 64});
  for (CpuFeatures features : FloatFeatureSets()) {
    const ConvTarget target = {features, 1};
    EXPECT_THAT(ChooseConv2D(p, target)->name(p, target), ::testing::StartsWith("depthwise_f32/"));
  }
}

TEST(Conv2DF32, WinogradTakesLargeLayersOfItsShapeOnly) {
  const ConvTarget target = {FeatureSets().back(), 1};
  const auto name = [&](const ConvShape& shape) {
    const Conv2DParams p = MakeParams(shape);
    return ChooseConv2D(p, target)->name(p, target);
  };
  EXPECT_THAT(name({1, 28, 28, 64, 64, 3, 1, 1, 1}), ::testing::StartsWith("winograd_4x4_f32/"));
  EXPECT_THAT(name({1, 28, 28, 3, 8, 3, 1, 1, 1}), ::testing::StartsWith("implicit_gemm_f32/"));
  EXPECT_THAT(name({1, 28, 28, 64, 64, 3, 2, 1, 1}), ::testing::StartsWith("implicit_gemm_f32/"));
  EXPECT_THAT(name({1, 28, 28, 64, 64, 3, 1, 2, 2}), ::testing::StartsWith("implicit_gemm_f32/"));
}

TEST(Conv2DF32, WinogradTakesTilesOf6x6WhereTheyFitAndFewWeightsStayInTheCache) {
  const auto size = [](const ConvShape& shape, CpuFeatures features) {
    const Conv2DParams p = MakeParams(shape);
    return std::string(ChooseConv2D(p, {features, 1})->name(p, {features, 1})).substr(0, 12);
  };
  for (CpuFeatures features : FloatFeatureSets()) {
    SCOPED_TRACE(IsaName(features));
    EXPECT_EQ(size({1, 112, 112, 32, 32, 3, 1, 1, 1}, features), "winograd_6x6");
    EXPECT_EQ(size({1, 112, 112, 64, 64, 3, 1, 1, 1}, features), "winograd_6x6");
    EXPECT_EQ(size({1, 112, 112, 65, 65, 3, 1, 1, 1}, features), "winograd_4x4");  // beyond the limit
    // Without vectors, and with sixteen registers of four floats, products are all that counts.
    if ((features & (kCpuSse41 | kCpuNeon | kCpuSimd128)) == 0 || (features & kCpu32Bit) != 0) continue;
    EXPECT_EQ(size({1, 56, 56, 64, 64, 3, 1, 1, 1}, features), "winograd_4x4");     // 10x10 tiles for 9.3x9.3
    EXPECT_EQ(size({1, 112, 112, 64, 256, 3, 1, 1, 1}, features), "winograd_4x4");  // 4 MB of weights
  }
}

TEST(Conv2DF32, WinogradAlongRowsIsForSmallImagesAndFewerWeights) {
  const Conv2DParams p = MakeParams({1, 7, 7, 512, 512, 3, 1, 1, 1});
  for (CpuFeatures features : FloatFeatureSets()) {
    SCOPED_TRACE(IsaName(features));
    const ConvTarget target = {features, 1};
    EXPECT_EQ(kWinograd1x2.packed_bytes(p, target), kImplicitGemmF32.packed_bytes(p, target) * 4 / 3);
    EXPECT_EQ(kWinograd1x2.packed_bytes(p, target), kWinograd2.packed_bytes(p, target) * 3 / 4);
    // Where products take less time than reading the weights of tiles of 2x2.
    const bool wide = (features & kCpuAvx512) != 0;
    EXPECT_EQ(ChooseConv2D(p, target) == &kWinograd1x2, wide);
    // Larger ones it computes, as weights may be packed for it already, but it is not chosen for them.
    const Conv2DParams large = MakeParams({1, 56, 56, 512, 512, 3, 1, 1, 1});
    EXPECT_TRUE(kWinograd1x2.applicable(large));
    EXPECT_NE(ChooseConv2D(large, target), &kWinograd1x2);
  }
}

TEST(Conv2DF32, TilesOf6x6AreForAsManyChannelsAsKeepErrorsSmall) {
  const Conv2DParams p = MakeParams({1, 24, 24, kMaxWinograd6Channels, 8, 3, 1, 1, 1});
  const Conv2DParams wider = MakeParams({1, 24, 24, kMaxWinograd6Channels + 1, 8, 3, 1, 1, 1});
  EXPECT_TRUE(kWinograd6.applicable(p));
  EXPECT_FALSE(kWinograd6.applicable(wider));
  const FloatConvCase c(p, 6);
  const std::vector<float> expected = c.Expected();
  double squares = 0;
  for (const float v : expected) squares += static_cast<double>(v) * static_cast<double>(v);
  const double size = std::sqrt(squares / static_cast<double>(expected.size()));
  for (CpuFeatures features : FloatFeatureSets()) {
    SCOPED_TRACE(IsaName(features));
    EXPECT_THAT(c.Run(kWinograd6, features, 1), EachNear(expected, static_cast<float>(5e-5 * size)));
  }
}

TEST(Conv2DF32, WinogradIsChargedForTheColumnsThatFillUpAPanel) {
  // A panel has at least four columns: two of them cost as much as four, but for the transforms of two
  // outputs.
  for (CpuFeatures features : FloatFeatureSets()) {
    const ConvTarget target = {features, 1};
    const Conv2DParams two = MakeParams({1, 4, 5, 256, 2, 3, 1, 1, 1});
    const Conv2DParams four = MakeParams({1, 4, 5, 256, 4, 3, 1, 1, 1});
    for (const Conv2DAlgorithm* row : BuiltAlgorithms()) {
      if (!row->applicable(two)) continue;
      EXPECT_GT(row->cost(two, target), 0.9 * row->cost(four, target)) << row->name(two, target);
    }
  }
}

TEST(Conv2DF32, CandidatesAreAllApplicableRowsCheapestFirst) {
  for (CpuFeatures features : FloatFeatureSets()) {
    const ConvTarget target = {features, 1};
    const Conv2DParams p = MakeParams({1, 28, 28, 64, 64, 3, 1, 1, 1});
    const Conv2DCandidates candidates = Conv2DCandidatesFor(p, target);
    size_t applicable = 0;
    for (const Conv2DAlgorithm* row : BuiltAlgorithms()) applicable += row->applicable(p) ? 1 : 0;
    ASSERT_EQ(candidates.count, applicable);
    for (size_t i = 0; i < candidates.count; ++i) {
      EXPECT_EQ(candidates.rows[i].cost, candidates.rows[i].algorithm->cost(p, target));
      EXPECT_LE(candidates.rows[i == 0 ? 0 : i - 1].cost, candidates.rows[i].cost);
    }
  }
}

TEST(Conv2DF32, LayerKeysTellSizesAndTypesApartButNotScales) {
  const Conv2DParams p = MakeParams({1, 28, 28, 64, 64, 3, 1, 1, 1});
  EXPECT_EQ(Conv2DLayerKey(p), UINT64_C(0x153c8132f2a3c6c5));  // files of tuned choices hold such numbers
  Conv2DParams other = p;
  other.types.x_scale = 3;
  EXPECT_EQ(Conv2DLayerKey(other), Conv2DLayerKey(p));
  for (int64_t Conv2DParams::*field :
       {&Conv2DParams::batch, &Conv2DParams::in_h, &Conv2DParams::out_c, &Conv2DParams::kernel_w,
        &Conv2DParams::stride_h, &Conv2DParams::dilation_w, &Conv2DParams::pad_left, &Conv2DParams::groups}) {
    other = p;
    ++(other.*field);
    EXPECT_NE(Conv2DLayerKey(other), Conv2DLayerKey(p));
  }
  other = p;
  other.types.weights = DType::kInt8;
  EXPECT_NE(Conv2DLayerKey(other), Conv2DLayerKey(p));
}

TEST(Conv2DF32, TilesAreAsWideAsLayers) {
  const auto columns_of_tile = [](CpuFeatures features, size_t columns) {
    return GemmF32Kernels()[SelectGemmF32(features, columns)].nr;
  };
  for (CpuFeatures features : FloatFeatureSets()) {
    SCOPED_TRACE(IsaName(features));
    size_t widest = 0;
    for (const GemmF32Kernel& kernel : GemmF32Kernels()) {
      if (kernel.features == features) widest = kernel.nr;
    }
    EXPECT_LE(columns_of_tile(features, 16), 32u);
    EXPECT_GE(columns_of_tile(features, 512), widest);
  }
}

TEST(Conv2DF32, StrassenTakesLargeProductsOnly) {
  const ConvTarget target = {FeatureSets().back(), 1};
  const auto name = [&](const ConvShape& shape) {
    const Conv2DParams p = MakeParams(shape);
    return ChooseConv2D(p, target)->name(p, target);
  };
  EXPECT_THAT(name({8192, 1, 1, 8192, 8192}), ::testing::StartsWith("strassen_f32/"));
  EXPECT_THAT(name({64, 1, 1, 512, 512}), ::testing::StartsWith("implicit_gemm_f32/"));
}

TEST(Conv2DF32, ScratchOfWinogradIsBounded) {
  const Conv2DParams p = MakeParams({1, 224, 224, 64, 64, 3, 1, 1, 1});
  for (const Conv2DAlgorithm* algorithm : {&kWinograd2, &kWinograd4, &kWinograd6}) {
    EXPECT_LT(ScratchBytes(*algorithm, p, {FeatureSets().back(), 4}), 1400u * 1024);
  }
}

TEST(Conv2DF32, Transposed) {
  for (int64_t groups : {1, 2, 6}) {
    Conv2DParams p = MakeParams({2, 4, 3, 6, 6, 3, 2, 1, 1, groups});
    p.transposed = true;
    p.dilation_w = 2;
    p.out_h = 9;  // one more than needed: a row that nothing reaches
    p.out_w = 7;
    FloatConvCase c(p, 4);
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(p)) continue;
      for (CpuFeatures features : FloatFeatureSets()) {
        EXPECT_THAT(c.Run(*algorithm, features, 2), EachNear(c.Expected(), Tolerance(p)));
      }
    }
  }
}

TEST(Conv2DF32, TransposedWithSlopes) {
  for (const int64_t stride : {1, 2}) {
    Conv2DParams p = MakeParams({1, 6, 7, 5, 20, 4, stride, 1, 1});
    p.transposed = true;
    p.out_h = 5 * stride + 2;
    p.out_w = 6 * stride + 2;
    p.types.activation.kind = ActivationKind::kPRelu;
    FloatConvCase c(p, 8);
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(p)) continue;
      for (CpuFeatures features : FloatFeatureSets()) {
        EXPECT_THAT(c.Run(*algorithm, features, 2), EachNear(c.Expected(), 1.5f * Tolerance(p)));
      }
    }
  }
}

TEST(Conv2DF32, RandomShapes) {
  for (uint32_t seed = 100; seed < 140; ++seed) {
    Random random(seed);
    const Conv2DParams p = MakeParams(RandomShape(random));
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + Describe(p));
    FloatConvCase c(p, seed);
    const std::vector<float> expected = c.Expected();
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(p)) continue;
      for (CpuFeatures features : FloatFeatureSets()) {
        EXPECT_THAT(c.Run(*algorithm, features, 2), EachNear(expected, Tolerance(p)));
      }
    }
  }
}

}  // namespace
}  // namespace micrort::testing
