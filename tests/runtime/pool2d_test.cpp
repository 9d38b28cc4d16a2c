#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "micrort/op_resolver.h"
#include "tests/runtime/bottleneck_model.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::OpTester;

schema::Pool2DOptionsT Window(schema::PoolKind kind, int kernel, int stride, int pad = 0) {
  schema::Pool2DOptionsT o;
  o.kind = kind;
  o.kernel_h = o.kernel_w = kernel;
  o.stride_h = o.stride_w = stride;
  o.pad_top = o.pad_left = o.pad_bottom = o.pad_right = pad;
  return o;
}

TEST(Pool2DOp, Maximum) {
  OpTester op(ops::Pool2D(), Window(schema::PoolKind::Max, 2, 2));
  op.Input<float>(Shape::Of(1, 2, 4, 1), {1, 5, 2, 0, -1, 3, 8, 4});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(1, 1, 2, 1), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(5, 8));
}

TEST(Pool2DOp, AverageWithAndWithoutPadding) {
  for (const bool include : {false, true}) {
    auto options = Window(schema::PoolKind::Average, 3, 2, 1);
    options.count_include_pad = include;
    OpTester op(ops::Pool2D(), options);
    op.Input<float>(Shape::Of(1, 2, 2, 1), {9, 9, 9, 9});
    ASSERT_TRUE(op.Run().ok());
    EXPECT_THAT(op.Output<float>(), ElementsAre(include ? 4 : 9));
  }
}

TEST(Pool2DOp, CeilModeAddsAWindow) {
  auto options = Window(schema::PoolKind::Max, 2, 2);
  options.ceil_mode = true;
  OpTester op(ops::Pool2D(), options);
  op.Input<uint8_t>(Shape::Of(1, 3, 3, 1), {1, 2, 3, 4, 5, 6, 7, 8, 9});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(1, 2, 2, 1), op.OutputShape());
  EXPECT_THAT(op.Output<uint8_t>(), ElementsAre(5, 6, 8, 9));
}

TEST(Pool2DOp, Int8AverageRequantizes) {
  OpTester op(ops::Pool2D(), Window(schema::PoolKind::Average, 2, 2));
  op.Input<int8_t>(Shape::Of(1, 2, 2, 1), {1, 2, 3, 5}).Quantized(0.5f, 1).OutputQuantized(0.25f, -3);
  ASSERT_TRUE(op.Run().ok());
  // (0 + 1 + 2 + 4) / 4 * 2 = 3.5, to even.
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(4 - 3));
}

TEST(Pool2DOp, EmptyBatch) {
  OpTester op(ops::Pool2D(), Window(schema::PoolKind::Max, 2, 2));
  op.Input<float>(Shape::Of(0, 2, 4, 1), {});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(0, 1, 2, 1), op.OutputShape());
}

TEST(Pool2DOp, RejectsNonsense) {
  auto zero_kernel = Window(schema::PoolKind::Max, 0, 1);
  auto zero_stride = Window(schema::PoolKind::Max, 1, 0);
  auto negative_pad = Window(schema::PoolKind::Max, 1, 1, -1);
  auto too_large = Window(schema::PoolKind::Max, 5, 1);
  auto huge = Window(schema::PoolKind::Max, INT32_MAX, 1, INT32_MAX);
  huge.dilation_h = huge.dilation_w = INT32_MAX;
  auto no_kind = Window(static_cast<schema::PoolKind>(7), 1, 1);
  for (const auto& options : {zero_kernel, zero_stride, negative_pad, too_large, huge, no_kind}) {
    OpTester op(ops::Pool2D(), options);
    op.Input<float>(Shape::Of(1, 2, 2, 1), {1, 2, 3, 4});
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
  }
  OpTester rank(ops::Pool2D(), Window(schema::PoolKind::Max, 1, 1));
  rank.Input<float>(Shape::Of(2, 2), {1, 2, 3, 4});
  EXPECT_EQ(StatusCode::kInvalidModel, rank.Run().code());
  OpTester type(ops::Pool2D(), Window(schema::PoolKind::Max, 1, 1));
  type.Input<int64_t>(Shape::Of(1, 1, 1, 1), {1});
  EXPECT_EQ(StatusCode::kUnsupported, type.Run().code());
}

TEST(Pool2DOp, RejectsStepsThatOverflow) {
  auto options = Window(schema::PoolKind::Average, 1, INT32_MAX);
  options.dilation_h = options.dilation_w = INT32_MAX;
  OpTester op(ops::Pool2D(), options);
  op.Input<float>(Shape::Of(1, 2, 2, 1), {1, 2, 3, 4});
  EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
}

TEST(Pool2DOp, Int8AverageNeedsQuantization) {
  OpTester op(ops::Pool2D(), Window(schema::PoolKind::Average, 1, 1));
  op.Input<int8_t>(Shape::Of(1, 1, 1, 1), {1}).Quantized(0.5f, 300).OutputQuantized(0.5f, 0);
  EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
}

// The mean of a whole image, large enough for stripes of rows.
testing::ModelBuilder MeanOfImage(int64_t max_scratch) {
  testing::ModelBuilder b;
  const int x = b.Input("x", testing::kF32, {1, 64, 64, 32});
  const int y = b.Tensor("y", testing::kF32, {1, 1, 1, 32});
  b.Node(Window(schema::PoolKind::Average, 64, 1), {x}, {y});
  b.graph().operators[0]->max_scratch = max_scratch;
  b.Output(y);
  return b;
}

TEST(Pool2DOp, DoesWithoutBandsWhereAFileAllowsNoScratch) {
  testing::TestSession none(MeanOfImage(0), testing::Bottleneck::Options()),
      stripes(MeanOfImage(-1), testing::Bottleneck::Options());
  const std::vector<float> found = testing::Bottleneck::RunOnWave(none),
                           expected = testing::Bottleneck::RunOnWave(stripes);
  ASSERT_EQ(found.size(), 32u);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5f);
}

// Rows 0, 2, 4 ... of an image: whether the window is whole is known in the run alone.
TEST(Pool2DOp, DoesWithoutBandsWhereTheRunDecidesTheHeight) {
  testing::ModelBuilder b;
  const int mask = b.Input("mask", testing::kF32, {64}), x = b.Input("x", testing::kF32, {64, 64, 32});
  const int rows = b.Tensor("rows", DType::kInt64, {1, -1});
  const int image = b.Tensor("image", testing::kF32, {1, -1, 64, 32});
  const int y = b.Tensor("y", testing::kF32, {1, -1, 1, 32});
  schema::Pool2DOptionsT pool = Window(schema::PoolKind::Average, 64, 1);
  pool.kernel_h = 32;
  b.Node(schema::NonZeroOptionsT(), {mask}, {rows});
  b.Node(schema::GatherOptionsT(), {x, rows}, {image});
  b.Node(pool, {image}, {y});
  b.Output(y);
  testing::TestSession s(b, testing::Bottleneck::Options());
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  std::vector<float> every_other(64);
  for (size_t i = 0; i < 64; i += 2) every_other[i] = 1;
  s.SetInput(0, every_other);
  s.SetInput(1, std::vector<float>(64 * 64 * 32, 0.5f));
  const Status status = s->Run();
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(s.Output(0), std::vector<float>(32, 0.5f));
}

}  // namespace
}  // namespace micrort
