// Operators of int16 tensors: that they compute, and where they refuse to. tests/kernels has their bits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/runtime/simple_options.h"

namespace micrort::testing::int16_ops {
namespace {

using schema::Rounding;
using simple_options::Binary;
using simple_options::Pairs;
using simple_options::Transposed;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OpTester;

constexpr float kTable = 1.0f / 32768;

schema::UnaryOptionsT Unary(schema::UnaryKind kind, float a = 0, float b = 0) {
  schema::UnaryOptionsT options;
  options.kind = kind;
  options.a = a;
  options.b = b;
  return options;
}

schema::SoftmaxOptionsT LastAxis(bool log = false) {
  schema::SoftmaxOptionsT options;
  options.axis = -1;
  options.log = log;
  return options;
}

void ExpectError(OpTester& op, StatusCode code, const char* text) {
  const Status status = op.Run();
  EXPECT_EQ(status.code(), code);
  EXPECT_THAT(status.message(), HasSubstr(text));
}

TEST(Int16, MatrixProductsByEitherBias) {
  OpTester wide(ops::MatMul(), Transposed(), Rounding::Tflite);
  wide.Input<int16_t>(Shape::Of(1, 2), {1000, -32768}).Quantized(0.5f, 0);
  wide.Constant<int8_t>(Shape::Of(2, 2), {3, -128, 1, 127}).QuantizedAlong(0, {0.25f, 0.5f});
  wide.Constant<int64_t>(Shape::Of(2), {-16, 8}).OutputQuantized(16.0f, 0);
  ASSERT_TRUE(wide.Run().ok());
  // 4197288 / 128, -4160528 / 64
  EXPECT_THAT(wide.Output<int16_t>(), ElementsAre(32767, -32768));
  OpTester narrow(ops::MatMul(), Transposed(), Rounding::Tflite);
  narrow.Input<int16_t>(Shape::Of(2, 1), {3, -3}).Quantized(1.0f, 0);
  narrow.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(0.5f, 0);
  narrow.Constant<int32_t>(Shape::Of(1), {2}).OutputQuantized(1.0f, 0);
  ASSERT_TRUE(narrow.Run().ok());
  EXPECT_THAT(narrow.Output<int16_t>(), ElementsAre(3, 0));
}

TEST(Int16, ConvolutionsOfEveryKind) {
  schema::Conv2DOptionsT conv;
  OpTester plain(ops::Conv2D(), conv, Rounding::Tflite);
  plain.Input<int16_t>(Shape::Of(1, 1, 2, 2), {1, 2, 3, 4}).Quantized(1.0f, 0);
  plain.Constant<int8_t>(Shape::Of(1, 1, 1, 2), {10, 1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ASSERT_TRUE(plain.Run().ok());
  EXPECT_THAT(plain.Output<int16_t>(), ElementsAre(12, 34));
  schema::DepthwiseConv2DOptionsT depthwise;
  OpTester by_channel(ops::DepthwiseConv2D(), depthwise, Rounding::Tflite);
  by_channel.Input<int16_t>(Shape::Of(1, 1, 2, 2), {1, 2, 3, 4}).Quantized(1.0f, 0);
  by_channel.Constant<int8_t>(Shape::Of(1, 1, 2), {10, -1})
      .QuantizedAlong(2, {1.0f, 2.0f})
      .OutputQuantized(1.0f, 0);
  ASSERT_TRUE(by_channel.Run().ok());
  EXPECT_THAT(by_channel.Output<int16_t>(), ElementsAre(10, -4, 30, -8));
  schema::ConvTranspose2DOptionsT transposed;
  transposed.stride_w = 2;
  OpTester wider(ops::ConvTranspose2D(), transposed, Rounding::Tflite);
  wider.Input<int16_t>(Shape::Of(1, 1, 2, 1), {5, 7}).Quantized(1.0f, 0);
  wider.Constant<int8_t>(Shape::Of(1, 1, 2, 1), {1, 10}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ASSERT_TRUE(wider.Run().ok());
  EXPECT_THAT(wider.Output<int16_t>(), ElementsAre(5, 50, 7, 70));
}

// Weights that are no constants are packed in the run.
TEST(Int16, WeightsMayBeAnInput) {
  OpTester op(ops::MatMul(), Transposed(), Rounding::Tflite);
  op.Input<int16_t>(Shape::Of(1, 2), {3, 4}).Quantized(1.0f, 0);
  op.Input<int8_t>(Shape::Of(1, 2), {10, 1}).Quantized(1.0f, 0);
  op.Input<int64_t>(Shape::Of(1), {100}).OutputQuantized(1.0f, 0);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int16_t>(), ElementsAre(134));
}

TEST(Int16, LayersRefuseWhatTheyDoNotHave) {
  OpTester exact(ops::MatMul(), Transposed());
  exact.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  exact.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ExpectError(exact, StatusCode::kUnsupported, "found weights of int8, output of unknown and exact rounding");
  OpTester wide(ops::Conv2D(), schema::Conv2DOptionsT(), Rounding::Tflite);
  wide.Input<int16_t>(Shape::Of(1, 1, 1, 1), {1}).Quantized(1.0f, 0);
  wide.Constant<int16_t>(Shape::Of(1, 1, 1, 1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ExpectError(wide, StatusCode::kUnsupported, "found weights of int16");
  OpTester shifted(ops::MatMul(), Transposed(), Rounding::Tflite);
  shifted.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 3);
  shifted.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ExpectError(shifted, StatusCode::kInvalidModel, "'input': zero point 3 of an int16 tensor must be 0");
  OpTester shifted_weights(ops::MatMul(), Transposed(), Rounding::Tflite);
  shifted_weights.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  shifted_weights.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 5).OutputQuantized(1.0f, 0);
  ExpectError(shifted_weights, StatusCode::kInvalidModel, "zero point 5 must be 0");
  OpTester fine(ops::MatMul(), Transposed(), Rounding::Tflite);
  fine.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  fine.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f / 128, 0);
  ExpectError(fine, StatusCode::kUnsupported, "int16 sums of channel 0");
  OpTester floats(ops::MatMul(), Transposed(), Rounding::Tflite);
  floats.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  floats.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  floats.Constant<float>(Shape::Of(1), {1}).OutputQuantized(1.0f, 0);
  ExpectError(floats, StatusCode::kInvalidModel, "expected int64 of 1 elements, found float32");
  OpTester residual(ops::MatMul(), Transposed(), Rounding::Tflite);
  residual.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  residual.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0).Absent();
  residual.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ExpectError(residual, StatusCode::kInvalidModel, "and a residual");
  schema::MatMulOptionsT curved = Transposed();
  curved.activation = schema::Activation(schema::ActivationKind::Sigmoid, 0, 0);
  OpTester sigmoid(ops::MatMul(), curved, Rounding::Tflite);
  sigmoid.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  sigmoid.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ExpectError(sigmoid, StatusCode::kUnsupported, "no kernel for int16 input, int8 weights, int16 output");
}

TEST(Int16, SumsProductsAndTheirBroadcast) {
  OpTester op(ops::Binary(), Binary(schema::BinaryKind::Mul), Rounding::Tflite);
  op.Input<int16_t>(Shape::Of(2, 2), {100, -200, 300, -32768}).Quantized(0.5f, 0);
  op.Input<int16_t>(Shape::Of(2), {2, 4}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int16_t>(), ElementsAre(100, -400, 300, -32768));
  OpTester bytes(ops::Binary(), Binary(schema::BinaryKind::Add), Rounding::Tflite);
  bytes.Input<int16_t>(Shape::Of(1), {1}).Quantized(1.0f, 0);
  bytes.Input<int8_t>(Shape::Of(1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  EXPECT_EQ(bytes.Run().code(), StatusCode::kUnsupported);
  OpTester bare(ops::Binary(), Binary(schema::BinaryKind::Add), Rounding::Tflite);
  bare.Input<int16_t>(Shape::Of(1), {1}).Input<int16_t>(Shape::Of(1), {1}).OutputQuantized(1.0f, 0);
  ExpectError(bare, StatusCode::kInvalidModel, "expected one scale for the int16 tensor, found 0");
  OpTester quotient(ops::Binary(), Binary(schema::BinaryKind::Div), Rounding::Tflite);
  quotient.Input<int16_t>(Shape::Of(1), {1}).Quantized(1.0f, 0);
  quotient.Input<int16_t>(Shape::Of(1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  EXPECT_EQ(quotient.Run().code(), StatusCode::kUnsupported);
}

// Without that rounding, int16 are the integers that they are.
TEST(Int16, ExactSumsAreThoseOfIntegers) {
  OpTester op(ops::Binary(), Binary(schema::BinaryKind::Add));
  op.Input<int16_t>(Shape::Of(1), {5}).Quantized(0.5f, 0);
  op.Input<int16_t>(Shape::Of(1), {6}).Quantized(2.0f, 0);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int16_t>(), ElementsAre(11));
}

TEST(Int16, FunctionsOfOneTensor) {
  OpTester leaky(ops::Unary(), Unary(schema::UnaryKind::LeakyRelu, 0.25f), Rounding::Tflite);
  leaky.Input<int16_t>(Shape::Of(3), {100, -100, 0}).Quantized(1.0f, 0).OutputQuantized(0.5f, 0);
  ASSERT_TRUE(leaky.Run().ok());
  EXPECT_THAT(leaky.Output<int16_t>(), ElementsAre(200, -50, 0));
  OpTester clip(ops::Unary(), Unary(schema::UnaryKind::Clip, 0, 6), Rounding::Tflite);
  clip.Input<int16_t>(Shape::Of(3), {100, -100, 3}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ASSERT_TRUE(clip.Run().ok());
  EXPECT_THAT(clip.Output<int16_t>(), ElementsAre(6, 0, 3));
  OpTester sigmoid(ops::Unary(), Unary(schema::UnaryKind::Sigmoid), Rounding::Tflite);
  sigmoid.Input<int16_t>(Shape::Of(3), {0, 32767, -32768})
      .Quantized(1.0f / 2048, 0)
      .OutputQuantized(kTable, 0);
  ASSERT_TRUE(sigmoid.Run().ok());
  EXPECT_THAT(sigmoid.Output<int16_t>(), ElementsAre(16384, 32767, 1));
  OpTester narrow(ops::Unary(), Unary(schema::UnaryKind::Identity), Rounding::Tflite);
  narrow.Input<int16_t>(Shape::Of(3), {256, -256, 32767}).Quantized(1.0f, 0);
  narrow.OutputType(DType::kInt8).OutputQuantized(256.0f, 5);
  ASSERT_TRUE(narrow.Run().ok());
  EXPECT_THAT(narrow.Output<int8_t>(), ElementsAre(6, 4, 127));
}

TEST(Int16, FunctionsRefuseWhatTheyDoNotHave) {
  OpTester exp(ops::Unary(), Unary(schema::UnaryKind::Exp), Rounding::Tflite);
  exp.Input<int16_t>(Shape::Of(1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ExpectError(exp, StatusCode::kUnsupported, "with these scales and TensorFlow Lite's rounding");
  OpTester scale(ops::Unary(), Unary(schema::UnaryKind::Tanh), Rounding::Tflite);
  scale.Input<int16_t>(Shape::Of(1), {1}).Quantized(1.0f, 0).OutputQuantized(0.5f, 0);
  ExpectError(scale, StatusCode::kUnsupported, "Tanh of quantized int16");
  OpTester floats(ops::Unary(), Unary(schema::UnaryKind::Abs), Rounding::Tflite);
  floats.Input<float>(Shape::Of(1), {1});
  ExpectError(floats, StatusCode::kInvalidModel, "needs int8, int16 or int32, found float32");
  OpTester unknown(ops::Unary(), Unary(schema::UnaryKind::Abs), static_cast<Rounding>(9));
  unknown.Input<int16_t>(Shape::Of(1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  ExpectError(unknown, StatusCode::kInvalidModel, "unknown rounding 9");
}

TEST(Int16, Softmax) {
  OpTester op(ops::Softmax(), LastAxis(), Rounding::Tflite);
  op.Input<int16_t>(Shape::Of(2, 2), {7, 7, 32767, -32768}).Quantized(0.001f, 0).OutputQuantized(kTable, 0);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int16_t>(), ElementsAre(16384, 16384, 32766, 2));
  OpTester empty(ops::Softmax(), LastAxis(), Rounding::Tflite);
  empty.Input<int16_t>(Shape::Of(0, 2), {}).Quantized(0.001f, 0).OutputQuantized(kTable, 0);
  EXPECT_TRUE(empty.Run().ok());
  OpTester exact(ops::Softmax(), LastAxis());
  exact.Input<int16_t>(Shape::Of(1, 2), {1, 2}).Quantized(1.0f, 0).OutputQuantized(kTable, 0);
  ExpectError(exact, StatusCode::kUnsupported, "int16 needs TensorFlow Lite's rounding");
  OpTester log(ops::Softmax(), LastAxis(true), Rounding::Tflite);
  log.Input<int16_t>(Shape::Of(1, 2), {1, 2}).Quantized(1.0f, 0).OutputQuantized(kTable, 0);
  ExpectError(log, StatusCode::kUnsupported, "int16 needs");
  OpTester scale(ops::Softmax(), LastAxis(), Rounding::Tflite);
  scale.Input<int16_t>(Shape::Of(1, 2), {1, 2}).Quantized(1.0f, 0).OutputQuantized(0.5f, 0);
  ExpectError(scale, StatusCode::kInvalidModel, "has scale 1/32768, found 0.5");
}

TEST(Int16, Pools) {
  OpTester average(ops::Pool2D(), Pairs(schema::PoolKind::Average), Rounding::Tflite);
  average.Input<int16_t>(Shape::Of(1, 1, 4, 1), {2, 3, -2, -3}).Quantized(0.5f, 0).OutputQuantized(0.5f, 0);
  ASSERT_TRUE(average.Run().ok());
  EXPECT_THAT(average.Output<int16_t>(), ElementsAre(3, -3));
  OpTester largest(ops::Pool2D(), Pairs(schema::PoolKind::Max), Rounding::Tflite);
  largest.Input<int16_t>(Shape::Of(1, 1, 4, 1), {2, 300, -32768, -3})
      .Quantized(0.5f, 0)
      .OutputQuantized(0.5f, 0);
  ASSERT_TRUE(largest.Run().ok());
  EXPECT_THAT(largest.Output<int16_t>(), ElementsAre(300, -3));
  OpTester exact(ops::Pool2D(), Pairs(schema::PoolKind::Max));
  exact.Input<int16_t>(Shape::Of(1, 1, 2, 1), {2, 3}).Quantized(0.5f, 0).OutputQuantized(0.5f, 0);
  ExpectError(exact, StatusCode::kUnsupported, "pooling of int16 needs TensorFlow Lite's rounding");
  OpTester rescaled(ops::Pool2D(), Pairs(schema::PoolKind::Average), Rounding::Tflite);
  rescaled.Input<int16_t>(Shape::Of(1, 1, 2, 1), {2, 3}).Quantized(0.5f, 0).OutputQuantized(1.0f, 0);
  EXPECT_EQ(rescaled.Run().code(), StatusCode::kInvalidModel);
  OpTester sum(ops::Pool2D(), Pairs(schema::PoolKind::Sum), Rounding::Tflite);
  sum.Input<int16_t>(Shape::Of(1, 1, 2, 1), {2, 3}).Quantized(0.5f, 0).OutputQuantized(0.5f, 0);
  ExpectError(sum, StatusCode::kUnsupported, "sum pooling of int16");
}

TEST(Int16, SlopesOfInt8AndComparisons) {
  OpTester prelu(ops::Binary(), Binary(schema::BinaryKind::PRelu), Rounding::Tflite);
  prelu.Input<int16_t>(Shape::Of(2, 2), {100, -100, -300, -400}).Quantized(0.5f, 0);
  prelu.Input<int8_t>(Shape::Of(2), {2, 4}).Quantized(0.25f, 0).OutputQuantized(1.0f, 0);
  ASSERT_TRUE(prelu.Run().ok());
  EXPECT_THAT(prelu.Output<int16_t>(), ElementsAre(50, -50, -75, -200));
  OpTester wide(ops::Binary(), Binary(schema::BinaryKind::PRelu), Rounding::Tflite);
  wide.Input<int16_t>(Shape::Of(1), {100}).Quantized(0.5f, 0);
  wide.Input<int16_t>(Shape::Of(1), {2}).Quantized(0.25f, 0).OutputQuantized(1.0f, 0);
  ExpectError(wide, StatusCode::kUnsupported, "PRelu of quantized int16");
  OpTester greater(ops::Binary(), Binary(schema::BinaryKind::Greater), Rounding::Tflite);
  greater.Input<int16_t>(Shape::Of(3), {100, -100, 1}).Quantized(0.5f, 0);
  greater.Input<int16_t>(Shape::Of(1), {2}).Quantized(0.25f, 0);
  ASSERT_TRUE(greater.Run().ok());
  EXPECT_THAT(greater.Output<bool>(), ElementsAre(true, false, false));
  OpTester coarse(ops::Binary(), Binary(schema::BinaryKind::Greater), Rounding::Tflite);
  coarse.Input<int16_t>(Shape::Of(1), {100}).Quantized(2.0f, 0);
  coarse.Input<int16_t>(Shape::Of(1), {2}).Quantized(0.25f, 0);
  ExpectError(coarse, StatusCode::kUnsupported, "Greater of quantized int16");
}

TEST(Int16, ProductsOfTwoInt16) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT(), Rounding::Tflite);
  op.Input<int16_t>(Shape::Of(2, 1, 2), {1000, -3, 2, 1}).Quantized(0.5f, 0);
  op.Input<int16_t>(Shape::Of(2, 2, 2), {30000, 1, 2, 5, 1, 2, 3, 4})
      .Quantized(0.25f, 0)
      .OutputQuantized(1.0f, 0);
  ASSERT_TRUE(op.Run().ok());
  // 29999994 / 8, 985 / 8; 5 / 8, 8 / 8
  EXPECT_THAT(op.Output<int16_t>(), ElementsAre(32767, 123, 1, 1));
  OpTester coarse(ops::MatMul(), Transposed(), Rounding::Tflite);
  coarse.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  coarse.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f / 128, 0);
  ExpectError(coarse, StatusCode::kUnsupported, "less than 128 times that of the output; found 1 and 128");
  OpTester shifted(ops::MatMul(), Transposed(), Rounding::Tflite);
  shifted.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  shifted.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 2).OutputQuantized(1.0f, 0);
  ExpectError(shifted, StatusCode::kInvalidModel, "zero point 2 of an int16 tensor must be 0");
  OpTester biased(ops::MatMul(), Transposed(), Rounding::Tflite);
  biased.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  biased.Input<int16_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  biased.Constant<int64_t>(Shape::Of(1), {1}).OutputQuantized(1.0f, 0);
  ExpectError(biased, StatusCode::kUnsupported, "a product of int16 with bias");
}

TEST(Int16, FloatsAreRoundedHalfAwayFromZero) {
  OpTester op(ops::Quantize(), schema::QuantizeOptionsT(), Rounding::Tflite);
  op.Input<float>(Shape::Of(7), {0.25f, -0.25f, 0.75f, 1.25f, 1e9f, -INFINITY, NAN});
  op.OutputType(DType::kInt16).OutputQuantized(0.5f, 3);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int16_t>(), ElementsAre(4, 2, 5, 6, 32767, -32768, -32768));
  OpTester exact(ops::Quantize(), schema::QuantizeOptionsT());
  exact.Input<float>(Shape::Of(1), {1}).OutputType(DType::kInt16).OutputQuantized(0.5f, 0);
  ExpectError(exact, StatusCode::kUnsupported, "found float32 to int16 with exact rounding");
  OpTester bytes(ops::Quantize(), schema::QuantizeOptionsT(), Rounding::Tflite);
  bytes.Input<float>(Shape::Of(1), {1}).OutputType(DType::kInt8).OutputQuantized(0.5f, 0);
  ExpectError(bytes, StatusCode::kUnsupported, "found float32 to int8 with TensorFlow Lite's rounding");
  OpTester point(ops::Quantize(), schema::QuantizeOptionsT(), Rounding::Tflite);
  point.Input<float>(Shape::Of(1), {1}).OutputType(DType::kInt16).OutputQuantized(0.5f, 40000);
  ExpectError(point, StatusCode::kInvalidModel, "zero point 40000 is not a value of int16");
}

schema::ReduceOptionsT Reduced(schema::ReduceKind kind, std::vector<int32_t> axes) {
  schema::ReduceOptionsT options;
  options.kind = kind;
  options.axes = std::move(axes);
  return options;
}

TEST(Int16, SumsAndMeansAlongAxes) {
  OpTester mean(ops::Reduce(), Reduced(schema::ReduceKind::Mean, {1}), Rounding::Tflite);
  mean.Input<int16_t>(Shape::Of(2, 2), {3, 4, -3, -4}).Quantized(0.5f, 0).OutputQuantized(0.5f, 0);
  ASSERT_TRUE(mean.Run().ok());
  // 3.5 and -3.5: halves up, since one of two roundings does it.
  EXPECT_THAT(mean.Output<int16_t>(), ElementsAre(4, -3));
  OpTester sum(ops::Reduce(), Reduced(schema::ReduceKind::Sum, {0}), Rounding::Tflite);
  sum.Input<int16_t>(Shape::Of(2, 2), {30000, 4, 30000, -10}).Quantized(0.5f, 0).OutputQuantized(1.0f, 0);
  ASSERT_TRUE(sum.Run().ok());
  EXPECT_THAT(sum.Output<int16_t>(), ElementsAre(30000, -3));
  OpTester product(ops::Reduce(), Reduced(schema::ReduceKind::Prod, {0}), Rounding::Tflite);
  product.Input<int16_t>(Shape::Of(2), {3, 4}).Quantized(0.5f, 0).OutputQuantized(1.0f, 0);
  ExpectError(product, StatusCode::kUnsupported, "Prod of int16 giving int16 does not exist with TensorFlow");
  OpTester floats(ops::Reduce(), Reduced(schema::ReduceKind::Sum, {0}), Rounding::Tflite);
  floats.Input<float>(Shape::Of(2), {3, 4});
  ExpectError(floats, StatusCode::kInvalidModel, "needs int8, int16 or int32, found float32");
  OpTester shifted(ops::Reduce(), Reduced(schema::ReduceKind::Sum, {0}), Rounding::Tflite);
  shifted.Input<int16_t>(Shape::Of(2), {3, 4}).Quantized(0.5f, 1).OutputQuantized(1.0f, 0);
  ExpectError(shifted, StatusCode::kUnsupported, "symmetric int16");
  OpTester largest(ops::Reduce(), Reduced(schema::ReduceKind::ArgMax, {0}), Rounding::Tflite);
  largest.Input<int16_t>(Shape::Of(2), {3, 4}).Quantized(0.5f, 0);
  ExpectError(largest, StatusCode::kInvalidModel, "ArgMax");
}

}  // namespace
}  // namespace micrort::testing::int16_ops
