// Transposed convolutions, cut into ordinary ones.

#include "kernels/transposed_conv/sub_pixel.h"

#include <gmock/gmock.h>

#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "tests/kernels/conv2d_case.h"
#include "tests/support/near.h"

namespace micrort::testing {
namespace {

using ::testing::StartsWith;

// The output has a row and a column more than the kernel reaches, which is what output padding makes.
Conv2DParams Transposed(const ConvShape& shape) {
  Conv2DParams p = MakeParams(shape);
  p.transposed = true;
  p.out_h = (p.in_h - 1) * p.stride_h - 2 * p.pad_top + p.kernel_h + (p.stride_h > 1 ? 1 : 0);
  p.out_w = (p.in_w - 1) * p.stride_w - 2 * p.pad_left + p.kernel_w + (p.stride_w > 1 ? 1 : 0);
  return p;
}

const ConvShape kTransposedShapes[] = {
    {2, 4, 3, 6, 10, 2, 2, 1, 0},  {1, 5, 4, 8, 9, 3, 2, 1, 1},      // parts of 2x2, 2x1, 1x2 and 1x1 taps
    {2, 6, 5, 8, 20, 4, 2, 1, 1},  {1, 7, 9, 12, 18, 6, 2, 1, 2},    // all parts 3x3
    {1, 7, 6, 12, 17, 6, 2, 1, 1}, {2, 5, 6, 10, 8, 5, 2, 1, 0},     // one of them
    {1, 8, 7, 10, 12, 3, 1, 1, 1},                                   // one part
    {1, 9, 8, 6, 5, 4, 3, 1, 5},                                     // more padding than taps
    {1, 5, 5, 6, 4, 2, 2, 1, 2},   {2, 4, 5, 12, 6, 4, 2, 1, 1, 2},  // groups
    {1, 3, 4, 6, 7, 4, 4, 1, 0},   {1, 1, 1, 2, 3, 3, 2, 1, 1},
};

class SubPixelTest : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, SubPixelTest, ::testing::ValuesIn(kTransposedShapes));

TEST_P(SubPixelTest, FloatsMatchTheReference) {
  Conv2DParams p = Transposed(GetParam());
  p.types.activation = {ActivationKind::kClip, -0.5f, 2.0f};
  SCOPED_TRACE(Describe(p));
  ASSERT_TRUE(kSubPixelGemmF32.applicable(p));
  FloatConvCase c(p, 1);
  for (bool has_residual : {false, true}) {
    c.has_residual = has_residual;
    const std::vector<float> expected = c.Expected();
    for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
      if (!algorithm->applicable(p)) continue;
      for (CpuFeatures features : FloatFeatureSets()) {
        SCOPED_TRACE(algorithm->name(p, {features, 1}));
        const std::vector<float> one = c.Run(*algorithm, features, 1);
        EXPECT_THAT(one, EachNear(expected, 1e-6f * static_cast<float>(8 + p.depth())));
        EXPECT_EQ(one, c.Run(*algorithm, features, 3, has_residual));
      }
    }
  }
}

TEST_P(SubPixelTest, NarrowWeightsGiveTheSameBitsAsTheFloatsThatTheyStandFor) {
  const Conv2DParams p = Transposed(GetParam());
  SCOPED_TRACE(Describe(p));
  FloatConvCase narrow(p, 2);
  for (const DType type : {DType::kFloat16, DType::kInt8, DType::kInt4}) {
    SCOPED_TRACE(Name(type));
    narrow.UseNarrow(type);
    FloatConvCase floats = narrow;
    floats.UseFloatsOfNarrow();
    for (const Conv2DAlgorithm* algorithm : {&kSubPixelGemmF32, &kSubPixelWinograd2, &kSubPixelWinograd4}) {
      if (!algorithm->applicable(narrow.p)) continue;
      for (CpuFeatures features : FloatFeatureSets()) {
        EXPECT_EQ(narrow.Run(*algorithm, features, 1), floats.Run(*algorithm, features, 1));
      }
    }
  }
}

template <typename T>
void ExpectExactParts(IntegerConvCase<T> c) {
  ASSERT_TRUE(kSubPixelGemmS8.applicable(c.p));
  for (bool has_residual : {false, true}) {
    c.has_residual = has_residual && c.p.types.y != DType::kInt32;
    const std::vector<T> expected = c.Expected();
    for (CpuFeatures features : FeatureSets()) {
      SCOPED_TRACE(kSubPixelGemmS8.name(c.p, {features, 1}));
      EXPECT_EQ(c.Run(kSubPixelGemmS8, features, 2, c.has_residual), expected);
    }
  }
}

TEST_P(SubPixelTest, IntegersAreExact) {
  Conv2DParams p = Transposed(GetParam());
  SCOPED_TRACE(Describe(p));
  ExpectExactParts(IntegerConvCase<int8_t>(p, 3));
  ExpectExactParts(IntegerConvCase<float>(p, 4));
  ExpectExactParts(IntegerConvCase<int32_t>(p, 5));
  p.types.asymmetric = true;
  ExpectExactParts(IntegerConvCase<int8_t>(p, 6));
  p.types.asymmetric = false;
  p.types.dynamic = true;
  ExpectExactParts(IntegerConvCase<float>(p, 7));
}

std::string NameOfChosen(const Conv2DParams& p) {
  const ConvTarget target = {FeatureSets().back(), 1};
  return ChooseConv2D(p, target)->name(p, target);
}

TEST(SubPixelParts, AreChosenInsteadOfProductsByTheZerosBetweenInputs) {
  Conv2DParams p = Transposed({1, 14, 14, 512, 256, 4, 2, 1, 1});
  EXPECT_THAT(NameOfChosen(p), StartsWith("phased_implicit_gemm_f32/"));
  EXPECT_THAT(NameOfChosen(Transposed({1, 28, 28, 128, 128, 6, 2, 1, 2})), StartsWith("phased_winograd_"));
  p.types.x = p.types.weights = p.types.y = DType::kInt8;
  EXPECT_THAT(NameOfChosen(p), StartsWith("phased_implicit_gemm_s8/"));
}

TEST(SubPixelParts, NeedATransposedConvolutionWithEnoughTapsSideBySide) {
  Conv2DParams p = Transposed({1, 8, 8, 4, 4, 4, 2, 1, 1});
  EXPECT_TRUE(kSubPixelGemmF32.applicable(p));
  EXPECT_FALSE(kSubPixelGemmS8.applicable(p));
  EXPECT_FALSE(kSubPixelWinograd4.applicable(p)) << "no part is 3x3";
  p.dilation_w = 2;
  EXPECT_FALSE(kSubPixelGemmF32.applicable(p));
  EXPECT_FALSE(kSubPixelGemmF32.applicable(Transposed({1, 8, 8, 4, 4, 2, 3})));
  EXPECT_FALSE(kSubPixelGemmF32.applicable(Transposed({1, 2, 2, 1, 1, 17, 2}))) << "81 taps a part";
  EXPECT_TRUE(kSubPixelGemmF32.applicable(Transposed({1, 2, 2, 1, 1, 32, 32})));
  EXPECT_FALSE(kSubPixelGemmF32.applicable(Transposed({1, 2, 2, 1, 1, 33, 33}))) << "1,089 parts";
  EXPECT_FALSE(kSubPixelGemmF32.applicable(MakeParams({1, 8, 8, 4, 4, 3, 1, 1, 1})));
}

}  // namespace
}  // namespace micrort::testing
