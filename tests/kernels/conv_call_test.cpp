// Steps of a program as plain data, written by hand and run by kernels alone.

#include "kernels/conv_call/conv_call.h"

#include <gmock/gmock.h>

#include <vector>

#include "kernels/conv2d/algorithm_ids.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;

TEST(AlgorithmIds, FindWhatTheyName) {
  for (const Conv2DAlgorithm* algorithm : Conv2DAlgorithms()) {
    EXPECT_NE(IdOf(*algorithm), Conv2DAlgorithmId::kUndecided);
    EXPECT_EQ(FindAlgorithm(IdOf(*algorithm)), algorithm);
  }
  EXPECT_EQ(FindAlgorithm(Conv2DAlgorithmId::kUndecided), nullptr);
  EXPECT_EQ(FindAlgorithm(static_cast<Conv2DAlgorithmId>(255)), nullptr);
  EXPECT_EQ(IdOf(Conv2DAlgorithm()), Conv2DAlgorithmId::kUndecided);
}

// 1x1 over an image of 2x1 pixels with two channels.
ConvCall Pointwise() {
  ConvCall call = {};
  Conv2DParams& p = call.params;
  p.batch = 1, p.in_h = 2, p.in_w = 1, p.in_c = 2;
  p.out_h = 2, p.out_w = 1, p.out_c = 2;
  p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = p.groups = 1;
  p.types.x = p.types.weights = p.types.y = DType::kFloat32;
  call.target = {0, 1};
  call.algorithm = FindAlgorithm(Conv2DAlgorithmId::kImplicitGemmF32);
  return call;
}

// The step of which `y` points at the first element of its view.
void RunStep(const ConvCall& call, const std::vector<float>& weights, const float* x, float* y,
             int64_t y_stride) {
  alignas(64) uint8_t packed[4096], scratch[4096];
  ASSERT_LE(call.algorithm->packed_bytes(call.params, call.target), sizeof packed);
  ASSERT_LE(call.algorithm->scratch_bytes(call.params, call.target), sizeof scratch);
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
