#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/base/half.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using testing::OpTester;
using ::testing::Pointwise;

schema::Conv2DOptionsT Padded(int pad, int stride = 1) {
  schema::Conv2DOptionsT o;
  o.stride_h = o.stride_w = stride;
  o.pad_top = o.pad_left = o.pad_bottom = o.pad_right = pad;
  return o;
}

schema::Activation Relu() {
  return {schema::ActivationKind::Clip, 0.0f, std::numeric_limits<float>::infinity()};
}

// A sum over the 3x3 neighbourhood.
const std::vector<float> kOnes(9, 1.0f);

TEST(Conv2DOp, PadsAndStrides) {
  OpTester op(ops::Conv2D(), Padded(1, 2));
  op.Input<float>(Shape::Of(1, 3, 3, 1), {1, 2, 3, 4, 5, 6, 7, 8, 9})
      .Constant<float>(Shape::Of(1, 3, 3, 1), kOnes);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(1, 2, 2, 1));
  EXPECT_THAT(op.Output<float>(), ElementsAre(12, 16, 24, 28));
  EXPECT_EQ(op.result().multiply_adds, 4 * 9);
  EXPECT_THAT(op.result().algorithm, HasSubstr("_f32/"));
  EXPECT_GT(op.result().packed[0].bytes, 0u);
}

TEST(Conv2DOp, WeightsThatAreNoConstantArePackedAsItRuns) {
  OpTester op(ops::Conv2D(), Padded(0));
  op.Input<float>(Shape::Of(1, 1, 2, 2), {1, 2, 3, 4})
      .Input<float>(Shape::Of(3, 1, 1, 2), {1, 0, 0, 1, 1, 1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(1, 2, 3, 3, 4, 7));
  EXPECT_EQ(op.result().packed[0].bytes, 0u);
}

TEST(Conv2DOp, BiasThenResidualThenActivation) {
  schema::Conv2DOptionsT options = Padded(0);
  options.activation = Relu();
  OpTester op(ops::Conv2D(), options);
  op.Input<float>(Shape::Of(1, 1, 2, 1), {1, -2})
      .Constant<float>(Shape::Of(2, 1, 1, 1), {10, 20})
      .Constant<float>(Shape::Of(2), {1, 2})
      .Input<float>(Shape::Of(1, 1, 2, 2), {100, -100, 5, 41});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(111, 0, 0, 3));
}

TEST(Conv2DOp, HalfAndInt8WeightsComputeInFloat) {
  for (const bool half : {true, false}) {
    OpTester op(ops::Conv2D(), Padded(0));
    op.Input<float>(Shape::Of(1, 1, 1, 2), {3, 5});
    if (half) {
      op.Constant<uint16_t>(Shape::Of(2, 1, 1, 2),
                            {FloatToHalf(0.5f), FloatToHalf(1), FloatToHalf(-2), FloatToHalf(4)});
      op.InputType(DType::kFloat16);
    } else {
      op.Constant<int8_t>(Shape::Of(2, 1, 1, 2), {1, 2, -1, 2}).QuantizedAlong(0, {0.5f, 2.0f});
    }
    ASSERT_TRUE(op.Run().ok());
    EXPECT_THAT(op.Output<float>(), ElementsAre(6.5f, 14));
  }
}

TEST(Conv2DOp, StaticInt8) {
  OpTester op(ops::Conv2D(), Padded(0));
  op.Input<int8_t>(Shape::Of(1, 1, 1, 2), {13, 5}).Quantized(0.5f, 3);
  op.Constant<int8_t>(Shape::Of(2, 1, 1, 2), {1, 2, -1, 2}).QuantizedAlong(0, {0.5f, 2.0f});
  op.Constant<int32_t>(Shape::Of(2), {4, -3});
  op.OutputType(DType::kInt8).OutputQuantized(0.25f, -10);
  ASSERT_TRUE(op.Run().ok());
  // (10 * 1 + 2 * 2 + 4) * 0.25 / 0.25 - 10; (-10 + 4 - 3) * 1 / 0.25 - 10
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(8, -46));
}

schema::Conv2DOptionsT WithSlopes() {
  schema::Conv2DOptionsT options = Padded(0);
  options.activation = schema::Activation(schema::ActivationKind::PRelu, 0, 0);
  return options;
}

TEST(Conv2DOp, SlopesOfChannels) {
  OpTester op(ops::Conv2D(), WithSlopes());
  op.Input<float>(Shape::Of(1, 1, 2, 1), {-2, 3}).Constant<float>(Shape::Of(3, 1, 1, 1), {1, 1, -1});
  op.Absent().Absent().Constant<float>(Shape::Of(3), {0.5f, -2, 0.25f});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(-1, 4, 2, 3, 3, -0.75f));
}

TEST(Conv2DOp, SlopesOfChannelsInInt8) {
  OpTester op(ops::Conv2D(), WithSlopes());
  op.Input<int8_t>(Shape::Of(1, 1, 1, 2), {13, 5}).Quantized(0.5f, 3);
  op.Constant<int8_t>(Shape::Of(2, 1, 1, 2), {1, 2, -1, 2}).QuantizedAlong(0, {0.5f, 2.0f});
  op.Constant<int32_t>(Shape::Of(2), {4, -3});
  op.Input<int8_t>(Shape::Of(1, 1, 1, 2), {2, 4}).Quantized(0.5f, 0);
  op.Constant<float>(Shape::Of(2), {0.5f, 0.25f});
  op.OutputType(DType::kInt8).OutputQuantized(0.25f, -10);
  ASSERT_TRUE(op.Run().ok());
  // 18 * 0.25 / 0.25 + 2 * 2 - 10; (-9 * 1 / 0.25 + 4 * 2) * 0.25 - 10
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(12, -17));
}

TEST(Conv2DOp, StaticInt8ToFloat) {
  OpTester op(ops::Conv2D(), Padded(0));
  op.Input<int8_t>(Shape::Of(1, 1, 1, 2), {13, 5}).Quantized(0.5f, 3);
  op.Constant<int8_t>(Shape::Of(1, 1, 1, 2), {1, 2}).Quantized(0.5f, 0);
  op.OutputType(DType::kFloat32);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(3.5f));
}

TEST(Conv2DOp, DynamicInt8QuantizesEachItem) {
  schema::Conv2DOptionsT options = Padded(0);
  options.compute = schema::WeightCompute::DynamicInt8;
  OpTester op(ops::Conv2D(), options);
  op.Input<float>(Shape::Of(2, 1, 1, 2), {-1, 1.55f, 1000, 0})
      .Constant<int8_t>(Shape::Of(1, 1, 1, 2), {100, 1})
      .Quantized(0.01f, 0)
      .Constant<float>(Shape::Of(1), {0.25f});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.result().algorithm, HasSubstr("_s8/"));
  EXPECT_THAT(op.Output<float>(), Pointwise(FloatNear(0.01f), {-1 + 0.0155f + 0.25f, 1000.25f}));
}

TEST(Conv2DOp, EmptyBatch) {
  OpTester op(ops::Conv2D(), Padded(1));
  op.Input<float>(Shape::Of(0, 3, 3, 1), {}).Constant<float>(Shape::Of(1, 3, 3, 1), kOnes);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(0, 3, 3, 1));
}

TEST(Conv2DOp, RefusesWhatDoesNotFit) {
  struct Case {
    Shape x, weights;
    int groups;
    const char* message;
  };
  const Case cases[] = {
      {Shape::Of(1, 3, 3), Shape::Of(1, 3, 3, 1), 1, "expected 4 dimensions"},
      {Shape::Of(1, 3, 3, 1), Shape::Of(3, 3, 1), 1, "expected 4 dimensions"},
      {Shape::Of(1, 3, 3, 2), Shape::Of(1, 3, 3, 1), 1, "do not match"},
      {Shape::Of(1, 3, 3, 4), Shape::Of(3, 1, 1, 2), 2, "do not match"},
      {Shape::Of(1, 3, 3, 0), Shape::Of(1, 1, 1, 0), 1, "no channels"},
      {Shape::Of(1, 3, 3, 1), Shape::Of(1, 4, 4, 1), 1, "does not fit"},
      {Shape::Of(1, 3, 3, 1), Shape::Of(1, 0, 1, 1), 1, "does not fit"},
      {Shape::Of(1, 3, 3, 1), Shape::Of(0, 1, 1, 1), 1, "do not match"},
  };
  for (const Case& c : cases) {
    schema::Conv2DOptionsT options = Padded(0);
    options.groups = c.groups;
    OpTester op(ops::Conv2D(), options);
    op.Input<float>(c.x, std::vector<float>(static_cast<size_t>(c.x.elements())));
    op.Constant<float>(c.weights, std::vector<float>(static_cast<size_t>(c.weights.elements())));
    const Status status = op.Infer();
    EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

TEST(Conv2DOp, RefusesOptionsThatWouldDivideByZero) {
  for (int which = 0; which < 4; ++which) {
    schema::Conv2DOptionsT options;
    (which == 0   ? options.stride_h
     : which == 1 ? options.dilation_w
     : which == 2 ? options.groups
                  : options.pad_left) = which == 3 ? -1 : 0;
    OpTester op(ops::Conv2D(), options);
    op.Input<float>(Shape::Of(1, 3, 3, 1), kOnes).Constant<float>(Shape::Of(1, 3, 3, 1), kOnes);
    EXPECT_EQ(op.Infer().code(), StatusCode::kInvalidModel);
  }
}

TEST(Conv2DOp, RefusesWrongTypesAndQuantization) {
  const Shape x = Shape::Of(1, 1, 1, 2), w = Shape::Of(2, 1, 1, 2);
  const std::vector<int8_t> weights(4);
  {
    OpTester op(ops::Conv2D(), Padded(0));
    op.Input<float>(x, {1, 2}).Constant<int8_t>(w, weights);
    EXPECT_THAT(op.Infer().message(), HasSubstr("expected one scale, or 2 along axis 0"));
  }
  {
    OpTester op(ops::Conv2D(), Padded(0));
    op.Input<float>(x, {1, 2}).Constant<int8_t>(w, weights).Quantized(0.5f, 1);
    EXPECT_THAT(op.Infer().message(), HasSubstr("must be 0"));
  }
  {
    OpTester op(ops::Conv2D(), Padded(0));
    op.Input<int8_t>(x, {1, 2}).Constant<int8_t>(w, weights).Quantized(0.5f, 0).OutputType(DType::kFloat32);
    EXPECT_THAT(op.Infer().message(), HasSubstr("expected one scale for the int8 tensor"));
  }
  {
    OpTester op(ops::Conv2D(), Padded(0));
    op.Input<float>(x, {1, 2}).Constant<float>(w, {1, 2, 3, 4}).Constant<float>(Shape::Of(3), {1, 2, 3});
    EXPECT_THAT(op.Infer().message(), HasSubstr("bias"));
  }
  {
    OpTester op(ops::Conv2D(), Padded(0));
    op.Input<float>(x, {1, 2}).Constant<float>(w, {1, 2, 3, 4}).Absent().Input<float>(x, {1, 2});
    EXPECT_TRUE(op.Infer().ok());
    OpTester wrong(ops::Conv2D(), Padded(0));
    wrong.Input<float>(x, {1, 2})
        .Constant<float>(w, {1, 2, 3, 4})
        .Absent()
        .Input<float>(Shape::Of(2), {1, 2});
    EXPECT_THAT(wrong.Infer().message(), HasSubstr("residual"));
  }
}

TEST(DepthwiseConv2DOp, OneFilterAChannel) {
  OpTester op(ops::DepthwiseConv2D(), schema::DepthwiseConv2DOptionsT());
  op.Input<float>(Shape::Of(1, 1, 2, 2), {1, 2, 3, 4})
      .Constant<float>(Shape::Of(1, 2, 2), {1, 10, 100, 1000});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(301, 4020));
  EXPECT_THAT(op.result().algorithm, HasSubstr("depthwise_f32/"));
}

TEST(DepthwiseConv2DOp, MultiplierRepeatsInputChannels) {
  OpTester op(ops::DepthwiseConv2D(), schema::DepthwiseConv2DOptionsT());
  op.Input<float>(Shape::Of(1, 1, 1, 2), {1, 2}).Constant<float>(Shape::Of(1, 1, 4), {1, 2, 3, 4});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(1, 2, 6, 8));
}

TEST(DepthwiseConv2DOp, Int8QuantizedAlongItsLastAxis) {
  OpTester op(ops::DepthwiseConv2D(), schema::DepthwiseConv2DOptionsT());
  op.Input<int8_t>(Shape::Of(1, 1, 1, 2), {4, 6}).Quantized(1.0f, 2);
  op.Constant<int8_t>(Shape::Of(1, 1, 2), {3, -5}).QuantizedAlong(2, {1.0f, 0.5f});
  op.OutputType(DType::kInt8).OutputQuantized(1.0f, 1);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(7, -9));
  EXPECT_THAT(op.result().algorithm, HasSubstr("depthwise_s8/"));
}

TEST(DepthwiseConv2DOp, RefusesAFractionalMultiplier) {
  OpTester op(ops::DepthwiseConv2D(), schema::DepthwiseConv2DOptionsT());
  op.Input<float>(Shape::Of(1, 1, 1, 2), {1, 2}).Constant<float>(Shape::Of(1, 1, 3), {1, 2, 3});
  EXPECT_EQ(op.Infer().code(), StatusCode::kInvalidModel);
}

TEST(ConvTranspose2DOp, SpreadsEveryPixel) {
  schema::ConvTranspose2DOptionsT options;
  options.stride_h = options.stride_w = 2;
  options.output_pad_w = 1;
  OpTester op(ops::ConvTranspose2D(), options);
  op.Input<float>(Shape::Of(1, 1, 2, 1), {1, 10})
      .Constant<float>(Shape::Of(1, 1, 3, 1), {1, 2, 3})
      .Constant<float>(Shape::Of(1), {0.5f});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(1, 1, 6, 1));
  EXPECT_THAT(op.Output<float>(), ElementsAre(1.5f, 2.5f, 13.5f, 20.5f, 30.5f, 0.5f));
}

TEST(ConvTranspose2DOp, RefusesAnEmptyOutput) {
  schema::ConvTranspose2DOptionsT options;
  options.pad_top = 5;
  OpTester op(ops::ConvTranspose2D(), options);
  op.Input<float>(Shape::Of(1, 2, 2, 1), {1, 2, 3, 4}).Constant<float>(Shape::Of(1, 1, 1, 1), {1});
  EXPECT_EQ(op.Infer().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
