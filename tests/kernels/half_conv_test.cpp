// Layers of half tensors by the algorithms for floats.

#include <gtest/gtest.h>

#include "kernels/base/half.h"
#include "kernels/base/machine_model.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "tests/kernels/half_conv_case.h"

namespace micrort::testing {
namespace {

// An algorithm of halves, and the one for floats that computes it.
struct Pair {
  Conv2DAlgorithmId halves, floats;
};
constexpr Pair kPairs[] = {
    {Conv2DAlgorithmId::kHalvesGemmF32, Conv2DAlgorithmId::kDequantizingGemmF32},
    {Conv2DAlgorithmId::kHalvesDepthwiseF32, Conv2DAlgorithmId::kDepthwiseF32},
    {Conv2DAlgorithmId::kHalvesWinograd2, Conv2DAlgorithmId::kWinograd2},
    {Conv2DAlgorithmId::kHalvesWinograd4, Conv2DAlgorithmId::kWinograd4},
};

const ConvShape kHalvesShapes[] = {
    {1, 1, 1, 1, 1},
    {3, 1, 1, 70, 33},                // images of one pixel
    {2, 9, 7, 12, 18, 3, 2, 1, 1},    // whole images together
    {1, 13, 11, 5, 9, 3, 1, 1, 1},    // one image
    {2, 130, 120, 4, 5, 3, 1, 1, 1},  // stripes of each image
    {1, 201, 157, 4, 4, 5, 2, 1, 2, 4},
    {1, 120, 94, 8, 8, 3, 1, 2, 2, 8},
    {19, 30, 31, 8, 8, 3, 1, 1, 0, 8},  // several images at a time
    {0, 6, 7, 9, 5, 3, 1, 1, 1},
};

class HalfConvTest : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, HalfConvTest, ::testing::ValuesIn(kHalvesShapes));

std::vector<float> Rounded(std::vector<float> v) {
  for (float& x : v) x = HalfToFloat(FloatToHalf(x));
  return v;
}

void Check(HalfConvCase c, const Pair& pair, CpuFeatures features) {
  const Conv2DAlgorithm &halves = *FindAlgorithm(pair.halves), &in_float = *FindAlgorithm(pair.floats);
  const ConvTarget target = {features, 1};
  c.half_output = true;
  Conv2DParams of_floats = c.params();
  of_floats.types.x = of_floats.types.y = DType::kFloat32;
  ASSERT_EQ(CanRun(halves, c.params(), target), CanRun(in_float, of_floats, target));
  if (!CanRun(halves, c.params(), target)) return;
  FloatConvCase floats = c.floats;
  floats.narrow_weights.assign(reinterpret_cast<const uint8_t*>(c.weights.data()),
                               reinterpret_cast<const uint8_t*>(c.weights.data() + c.weights.size()));
  floats.UseNarrow(DType::kFloat16);
  const std::vector<float> expected = floats.Run(in_float, features, 1), rounded = Rounded(expected);
  EXPECT_EQ(c.Run(halves, features, 1), rounded);
  EXPECT_EQ(c.Run(halves, features, 3, c.floats.has_residual), rounded);
  c.half_output = false;
  EXPECT_EQ(c.Run(halves, features, 2, c.floats.has_residual), expected);
}

TEST_P(HalfConvTest, IsThatOfFloatsRoundedOnce) {
  Conv2DParams p = MakeParams(GetParam());
  SCOPED_TRACE(Describe(p));
  const HalfConvCase made(p, 5);  // random operands take longer than layers
  for (const CpuFeatures features : FloatFeatureSets()) {
    for (const Pair& pair : kPairs) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(pair.halves) << " on " << features);
      HalfConvCase c = made;
      c.floats.p.types.activation = {ActivationKind::kClip, 0.0f, 2.0f};
      Check(c, pair, features);
      c.floats.has_residual = true;
      c.floats.p.types.activation = {ActivationKind::kHardSwish, 0.0f, 0.0f};
      Check(c, pair, features);
    }
  }
}

// Floats of a stripe are few beside those of a large image.
TEST(HalfConv, TakesNoFloatsOfTheWholeImage) {
  const HalfConvCase c(MakeParams({1, 224, 224, 32, 32, 3, 1, 1, 1, 32}), 1);
  const Conv2DAlgorithm& halves = *FindAlgorithm(Conv2DAlgorithmId::kHalvesDepthwiseF32);
  const ConvTarget target = {kCpuScalar, 1};
  const uint64_t image = c.x.size() * sizeof(float);
  EXPECT_LE(ScratchBytes(halves, c.params(), target), image / 4);
}

TEST(HalfConv, HasNamesThatLeadToItsNumbers) {
  for (const Pair& pair : kPairs) {
    const Conv2DAlgorithm& halves = *FindAlgorithm(pair.halves);
    const HalfConvCase c(MakeParams({1, 9, 9, 16, 16, 3, 1, 1, 1}), 1);
    for (const CpuFeatures features : FeatureSets()) {
      const ConvTarget target = {features, 1};
      EXPECT_EQ(FindVariant(halves.name(c.params(), target)),
                VariantOf(halves, halves.plan(c.params(), target).kernel));
    }
  }
}

// What multiplies int8 takes no halves for them.
TEST(HalfConv, NothingElseTakesHalves) {
  const HalfConvCase c(MakeParams({1, 9, 9, 16, 16, 3, 1, 1, 1}), 1);
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    const Conv2DAlgorithmId id = IdOf(*algorithm);
    const bool is_of_halves = id >= Conv2DAlgorithmId::kImplicitGemmF16;
    EXPECT_TRUE(is_of_halves || !algorithm->applicable(c.params())) << static_cast<int>(id);
  }
}

}  // namespace
}  // namespace micrort::testing
