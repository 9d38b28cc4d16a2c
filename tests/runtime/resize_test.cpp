#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::OpTester;
using ::testing::Pointwise;

schema::ResizeOptionsT Scaled(schema::ResizeMode mode, std::vector<float> scales) {
  schema::ResizeOptionsT o;
  o.mode = mode;
  o.scales = std::move(scales);
  return o;
}

TEST(ResizeOp, NearestTwice) {
  auto options = Scaled(schema::ResizeMode::Nearest, {1, 2, 2, 1});
  options.coordinates = schema::CoordinateMode::Asymmetric;
  options.nearest = schema::NearestMode::Floor;
  OpTester op(ops::Resize(), options);
  op.Input<int8_t>(Shape::Of(1, 2, 2, 1), {1, 2, 3, 4});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(1, 4, 4, 1), op.OutputShape());
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4));
}

TEST(ResizeOp, LinearTwice) {
  OpTester op(ops::Resize(), Scaled(schema::ResizeMode::Linear, {1, 2, 2, 1}));
  op.Input<float>(Shape::Of(1, 2, 2, 1), {1, 2, 3, 4});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(),
              ElementsAre(1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3, 3.25, 3.75, 4));
}

TEST(ResizeOp, SizesWinOverScales) {
  auto options = Scaled(schema::ResizeMode::Linear, {5});
  options.sizes = {3};
  options.coordinates = schema::CoordinateMode::AlignCorners;
  OpTester op(ops::Resize(), options);
  op.Input<float>(Shape::Of(5), {0, 1, 2, 3, 4});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(0, 2, 4));
}

// Values of the ONNX test resize_downsample_scales_cubic.
TEST(ResizeOp, CubicDownsampling) {
  OpTester op(ops::Resize(), Scaled(schema::ResizeMode::Cubic, {1, 1, 0.8f, 0.8f}));
  std::vector<float> x(16);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1);
  op.Input<float>(Shape::Of(1, 1, 4, 4), x);
  ASSERT_TRUE(op.Run().ok());
  const std::vector<float> expected = {1.47119141f, 2.78125f,     4.08251953f, 6.71142578f, 8.02148438f,
                                       9.32275391f, 11.91650391f, 13.2265625f, 14.52783203f};
  EXPECT_THAT(op.Output<float>(), Pointwise(FloatNear(1e-5f), expected));
}

TEST(ResizeOp, UntouchedTensorMayStayInPlace) {
  OpTester op(ops::Resize(), Scaled(schema::ResizeMode::Cubic, {1, 1}));
  op.Input<float>(Shape::Of(1, 3), {1, 2, 3});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(0, op.result().in_place[0]);
  EXPECT_THAT(op.Output<float>(), ElementsAre(1, 2, 3));
}

TEST(ResizeOp, EmptyTensors) {
  OpTester batch(ops::Resize(), Scaled(schema::ResizeMode::Linear, {1, 2}));
  batch.Input<float>(Shape::Of(0, 3), {});
  ASSERT_TRUE(batch.Run().ok());
  EXPECT_EQ(Shape::Of(0, 6), batch.OutputShape());
  OpTester shrunk(ops::Resize(), Scaled(schema::ResizeMode::Linear, {0.1f}));
  shrunk.Input<float>(Shape::Of(3), {1, 2, 3});
  ASSERT_TRUE(shrunk.Run().ok());
  EXPECT_EQ(Shape::Of(0), shrunk.OutputShape());
}

TEST(ResizeOp, RejectsNonsense) {
  auto from_nothing = Scaled(schema::ResizeMode::Nearest, {});
  from_nothing.sizes = {2, 2};
  auto negative = from_nothing;
  negative.sizes = {1, -1};
  auto mode = Scaled(static_cast<schema::ResizeMode>(9), {1, 1});
  auto coordinates = Scaled(schema::ResizeMode::Linear, {1, 1});
  coordinates.coordinates = static_cast<schema::CoordinateMode>(9);
  for (const auto& options :
       {Scaled(schema::ResizeMode::Linear, {0, 1}), Scaled(schema::ResizeMode::Linear, {-1, 1}),
        Scaled(schema::ResizeMode::Linear, {std::numeric_limits<float>::infinity(), 1}),
        Scaled(schema::ResizeMode::Linear, {std::numeric_limits<float>::quiet_NaN(), 1}),
        Scaled(schema::ResizeMode::Linear, {1}), Scaled(schema::ResizeMode::Linear, {1, 1, 1}),
        Scaled(schema::ResizeMode::Linear, {1, 1e30f}), from_nothing, negative, mode, coordinates}) {
    OpTester op(ops::Resize(), options);
    op.Input<float>(Shape::Of(0, 3), {});
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
  }
}

// Rounded once, behind the last axis, and half to even.
TEST(ResizeOp, LinearInt8) {
  OpTester op(ops::Resize(), Scaled(schema::ResizeMode::Linear, {1, 2, 2, 1}));
  op.Input<int8_t>(Shape::Of(1, 2, 2, 1), {-128, 126, 127, 4}).Quantized(0.5f, -3);
  op.OutputType(DType::kInt8).OutputQuantized(0.5f, -3);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int8_t>(),
              ElementsAre(-128, -64, 62, 126, -64, -24, 56, 96, 63, 56, 42, 34, 127, 96, 35, 4));
}

TEST(ResizeOp, LinearInt8KeepsTheQuantization) {
  OpTester op(ops::Resize(), Scaled(schema::ResizeMode::Linear, {2}));
  op.Input<int8_t>(Shape::Of(1), {1}).Quantized(0.5f, 0);
  op.OutputType(DType::kInt8).OutputQuantized(0.25f, 0);
  EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
}

TEST(ResizeOp, OtherTypesAreNearestOnly) {
  auto smooth = Scaled(schema::ResizeMode::Linear, {2});
  smooth.antialias = true;
  for (const auto& options : {smooth, Scaled(schema::ResizeMode::Cubic, {2})}) {
    OpTester op(ops::Resize(), options);
    op.Input<int8_t>(Shape::Of(1), {1});
    EXPECT_EQ(StatusCode::kUnsupported, op.Run().code());
  }
  OpTester bytes(ops::Resize(), Scaled(schema::ResizeMode::Linear, {2}));
  bytes.Input<uint8_t>(Shape::Of(1), {1});
  EXPECT_EQ(StatusCode::kUnsupported, bytes.Run().code());
}

}  // namespace
}  // namespace micrort
