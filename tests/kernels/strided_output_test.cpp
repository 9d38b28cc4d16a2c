// Convolutions that write their output as a part of wider pixels, against those with a tensor of their own.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/kernels/conv_operands.h"
#include "tests/kernels/reversed_parallel.h"

namespace micrort::testing {
namespace {

const ConvShape kStridedShapes[] = {
    {1, 9, 7, 8, 24},
    {2, 5, 6, 3, 17, 3, 2, 1, 1},
    {1, 7, 7, 16, 64, 3, 1, 1, 1},
    {2, 11, 13, 20, 33, 3, 1, 1, 1},
    {1, 12, 12, 12, 18, 3, 1, 1, 0, 3},
    {1, 1, 1, 40, 130},
    {1, 12, 12, 80, 5, 3, 1, 1, 1},
};

constexpr ActivationKind kActivations[] = {ActivationKind::kClip, ActivationKind::kSilu};

void ExpectSameBits(const FloatConvCase& c, const Conv2DAlgorithm& algorithm, const ConvTarget& target) {
  const std::vector<float> expected = c.Run(algorithm, target.features, target.workers);
  GuardedBuffer<Block> packed = Memory(algorithm.packed_bytes(c.p, target));
  algorithm.pack(c.p, target, WeightsOf(c), packed.data());
  const ConvPlan plan = algorithm.plan(c.p, target);
  GuardedBuffer<Block> scratch = Memory(algorithm.scratch_bytes(c.p, target, plan));
  constexpr int64_t kBefore = 3, kBehind = 2;
  const int64_t stride = kBefore + c.p.out_c + kBehind;
  const auto pixels = static_cast<size_t>(c.p.rows());
  std::vector<float> y(pixels * static_cast<size_t>(stride), NAN);
  ConvTensors tensors = {c.x.data(), packed.data(), BiasOf(c), nullptr, y.data() + kBefore, scratch.data()};
  tensors.y_stride = stride;
  algorithm.run(c.p, target, plan, tensors, ReversedParallel(target.workers));
  size_t next = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    const int64_t column = static_cast<int64_t>(i) % stride - kBefore;
    if (column >= 0 && column < c.p.out_c) {
      ASSERT_EQ(y[i], expected[next++]) << i;
    } else {
      ASSERT_TRUE(std::isnan(y[i])) << i;
    }
  }
}

class StridedOutput : public ::testing::TestWithParam<ConvShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, StridedOutput, ::testing::ValuesIn(kStridedShapes));

TEST_P(StridedOutput, HasTheBitsOfAWholeTensorAndNothingBetween) {
  FloatConvCase c(MakeParams(GetParam()), 1);
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    for (const CpuFeatures features : FloatFeatureSets()) {
      for (const ActivationKind activation : kActivations) {
        c.p.types.activation = {activation, -0.5f, 0.5f};
        if (!algorithm->strided_output || !algorithm->applicable(c.p)) continue;
        const ConvTarget target = {features, 3};
        SCOPED_TRACE(algorithm->name(c.p, target));
        ExpectSameBits(c, *algorithm, target);
      }
    }
  }
}

TEST(StridedOutput, IsForFloatLayersOfGemmAndWinograd) {
  const ConvTarget target = {0, 1};
  const Conv2DParams p = MakeParams({1, 7, 7, 16, 16, 3, 1, 1, 1});
  std::vector<std::string> names;
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    if (algorithm->strided_output && algorithm->applicable(p)) names.push_back(algorithm->name(p, target));
  }
  ASSERT_EQ(names.size(), 5u);
  EXPECT_EQ(names[0].rfind("implicit_gemm_f32/", 0), 0u);
  for (size_t i = 1; i < names.size(); ++i) EXPECT_EQ(names[i].rfind("winograd_", 0), 0u) << names[i];
}

}  // namespace
}  // namespace micrort::testing
