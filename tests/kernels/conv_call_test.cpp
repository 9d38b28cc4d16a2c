// Steps of a program as plain data, written by hand and run by kernels alone.

#include "kernels/conv_call/conv_call.h"

#include <gmock/gmock.h>

#include <vector>

#include "kernels/base/target.h"
#include "kernels/conv2d/algorithm_ids.h"
#include "tests/kernels/conv_operands.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;

TEST(AlgorithmIds, FindWhatTheyName) {
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    EXPECT_NE(IdOf(*algorithm), Conv2DAlgorithmId::kUndecided);
    EXPECT_EQ(FindAlgorithm(IdOf(*algorithm)), algorithm);
  }
  EXPECT_EQ(FindAlgorithm(Conv2DAlgorithmId::kUndecided), nullptr);
  EXPECT_EQ(FindAlgorithm(static_cast<Conv2DAlgorithmId>(255)), nullptr);
  EXPECT_EQ(IdOf(Conv2DAlgorithm()), Conv2DAlgorithmId::kUndecided);
}

// 1x1 over an image of 2x1 pixels with two channels.
ConvCall Pointwise() {
  Conv2DParams p = {};
  p.batch = 1, p.in_h = 2, p.in_w = 1, p.in_c = 2;
  p.out_h = 2, p.out_w = 1, p.out_c = 2;
  p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = p.groups = 1;
  p.types.x = p.types.weights = p.types.y = DType::kFloat32;
  return MakeConvCall(p, {0, 1}, *FindAlgorithm(Conv2DAlgorithmId::kImplicitGemmF32));
}

// The step of which `y` points at the first element of its view.
void RunStep(const ConvCall& call, const std::vector<float>& weights, const float* x, float* y,
             int64_t y_stride) {
  alignas(64) uint8_t packed[4096], scratch[4096];
  ASSERT_LE(call.algorithm->packed_bytes(call.params, call.target), sizeof packed);
  ASSERT_LE(call.algorithm->scratch_bytes(call.params, call.target, call.plan), sizeof scratch);
  ConvWeights w = {};
  w.data = weights.data();
  w.column_stride = 2;
  w.depth_stride = 1;
  call.algorithm->pack(call.params, call.target, w, packed);
  ConvTensors tensors = {};
  tensors.x = x;
  tensors.packed = packed;
  tensors.y = y;
  tensors.scratch = scratch;
  tensors.y_stride = y_stride;
  RunConvCall(call, tensors, Sequential());
}

// The output of a run that is told of no instruction set: the plan names all kernels.
template <typename Case>
auto RunAsPlanned(const Case& c, const Conv2DAlgorithm& algorithm, const ConvTarget& target) {
  const ConvPlan plan = algorithm.plan(c.p, target);
  GuardedBuffer<Block> packed = Memory(algorithm.packed_bytes(c.p, target));
  GuardedBuffer<Block> scratch = Memory(algorithm.scratch_bytes(c.p, target, plan));
  algorithm.pack(c.p, target, WeightsOf(c), packed.data());
  auto y = c.residual;
  ConvTensors tensors = {};
  tensors.x = c.x.data();
  tensors.packed = packed.data();
  tensors.bias = BiasOf(c);
  tensors.y = y.data();
  tensors.scratch = scratch.data();
  algorithm.run(c.p, {target.features & kCpuTraits, target.workers}, plan, tensors, Sequential());
  return y;
}

template <typename Case>
void ExpectPlansDecide(const Conv2DParams& p) {
  const Case c(p, 1);
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    if (!algorithm->applicable(c.p)) continue;
    for (const CpuFeatures features : FeatureSets()) {
      const ConvTarget target = {features, 1};
      EXPECT_EQ(RunAsPlanned(c, *algorithm, target), c.Run(*algorithm, features, 1))
          << algorithm->name(c.p, target);
    }
  }
}

TEST(ConvPlan, NamesAllThatARunNeedsToKnow) {
  for (const ConvShape& shape : {ConvShape{1, 12, 12, 16, 24, 3, 1, 1, 1},
                                 ConvShape{1, 9, 9, 16, 16, 3, 1, 1, 1, 16}, ConvShape{1, 16, 16, 64, 64}}) {
    ExpectPlansDecide<FloatConvCase>(MakeParams(shape));
    ExpectPlansDecide<IntegerConvCase<int8_t>>(MakeParams(shape));
  }
}

TEST(ConvCall, TwoStepsWriteTheirPartsOfOneBuffer) {
  const float x[] = {1, 2, 3, 4};
  float y[8] = {};
  RunStep(Pointwise(), {1, 0, 0, 1}, x, y, 4);
  RunStep(Pointwise(), {10, 0, 0, 100}, x, y + 2, 4);
  EXPECT_THAT(y, ElementsAre(1, 2, 10, 200, 3, 4, 30, 400));
}

TEST(ConvCall, AStepReadsWhatTheOneBeforeWrote) {
  const float x[] = {1, 2, 3, 4};
  float between[4] = {}, y[4] = {};
  RunStep(Pointwise(), {0, 1, 1, 0}, x, between, 2);
  RunStep(Pointwise(), {1, 1, 1, -1}, between, y, 2);
  EXPECT_THAT(y, ElementsAre(3, 1, 7, 1));
}

}  // namespace
}  // namespace micrort::testing
