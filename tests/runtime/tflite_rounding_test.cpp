// Operators that round as TensorFlow Lite does, and where they refuse to.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/runtime/simple_options.h"

namespace micrort::testing::tflite_rounding {
namespace {

using schema::Rounding;
using simple_options::Binary;
using simple_options::Pairs;
using simple_options::Transposed;
using ::testing::ElementsAre;
using testing::OpTester;

schema::SoftmaxOptionsT Axis(int axis) {
  schema::SoftmaxOptionsT options;
  options.axis = axis;
  return options;
}

std::vector<int8_t> Halves(Rounding rounding) {
  OpTester op(ops::MatMul(), Transposed(), rounding);
  op.Input<int8_t>(Shape::Of(3, 1), {1, 5, -5}).Quantized(1.0f, 0);
  op.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(0.5f, 0);
  op.OutputQuantized(1.0f, 0).OutputType(DType::kInt8);
  EXPECT_TRUE(op.Run().ok());
  return op.Output<int8_t>();
}

// By a multiplier without a shift, halves go up; behind a shift they go away from zero.
TEST(TfliteRounding, LayersTakeHalvesAsTheirScaleHasThem) {
  EXPECT_THAT(Halves(Rounding::Exact), ElementsAre(0, 2, -2));
  EXPECT_THAT(Halves(Rounding::Tflite), ElementsAre(1, 3, -2));
}

std::vector<int8_t> Combined(schema::BinaryKind kind) {
  OpTester op(ops::Binary(), Binary(kind), Rounding::Tflite);
  op.Input<int8_t>(Shape::Of(1, 3), {1, 5, -7}).Quantized(1.0f, 0);
  op.Input<int8_t>(Shape::Of(1), {2}).Quantized(0.5f, 0);
  op.OutputQuantized(2.0f, 1);
  EXPECT_TRUE(op.Run().ok());
  return op.Output<int8_t>();
}

TEST(TfliteRounding, SumsAndProducts) {
  EXPECT_THAT(Combined(schema::BinaryKind::Add), ElementsAre(2, 4, -2));
  EXPECT_THAT(Combined(schema::BinaryKind::Sub), ElementsAre(1, 3, -3));
  EXPECT_THAT(Combined(schema::BinaryKind::Mul), ElementsAre(2, 4, -3));
}

TEST(TfliteRounding, Averages) {
  OpTester op(ops::Pool2D(), Pairs(schema::PoolKind::Average), Rounding::Tflite);
  op.Input<int8_t>(Shape::Of(1, 1, 4, 1), {2, 3, -2, -3}).Quantized(0.5f, 7).OutputQuantized(0.5f, 7);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(3, -3));
}

TEST(TfliteRounding, Softmax) {
  OpTester op(ops::Softmax(), Axis(-1), Rounding::Tflite);
  op.Input<int8_t>(Shape::Of(2, 2), {10, 10, 4, 14}).Quantized(0.1f, 0).OutputQuantized(1.0f / 256, -128);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(0, 0, -59, 59));
}

TEST(TfliteRounding, IsRefusedWhereThereIsNone) {
  OpTester sums(ops::MatMul(), Transposed(), Rounding::Tflite);
  sums.Input<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  sums.Constant<int8_t>(Shape::Of(1, 1), {1}).Quantized(1.0f, 0);
  EXPECT_EQ(sums.Run().code(), StatusCode::kInvalidModel);
  OpTester floats(ops::Binary(), Binary(schema::BinaryKind::Add), Rounding::Tflite);
  floats.Input<float>(Shape::Of(1), {1}).Input<float>(Shape::Of(1), {1});
  EXPECT_EQ(floats.Run().code(), StatusCode::kUnsupported);
  OpTester quotient(ops::Binary(), Binary(schema::BinaryKind::Div), Rounding::Tflite);
  quotient.Input<int8_t>(Shape::Of(1), {1}).Quantized(1.0f, 0);
  quotient.Input<int8_t>(Shape::Of(1), {1}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  EXPECT_EQ(quotient.Run().code(), StatusCode::kUnsupported);
  OpTester largest(ops::Pool2D(), Pairs(schema::PoolKind::Max), Rounding::Tflite);
  largest.Input<int8_t>(Shape::Of(1, 1, 2, 1), {1, 2}).Quantized(1.0f, 0).OutputQuantized(1.0f, 0);
  EXPECT_EQ(largest.Run().code(), StatusCode::kInvalidModel);
  OpTester rescaled(ops::Pool2D(), Pairs(schema::PoolKind::Average), Rounding::Tflite);
  rescaled.Input<int8_t>(Shape::Of(1, 1, 2, 1), {1, 2}).Quantized(1.0f, 0).OutputQuantized(2.0f, 0);
  EXPECT_EQ(rescaled.Run().code(), StatusCode::kInvalidModel);
  OpTester other_axis(ops::Softmax(), Axis(0), Rounding::Tflite);
  other_axis.Input<int8_t>(Shape::Of(2, 2), {1, 2, 3, 4})
      .Quantized(1.0f, 0)
      .OutputQuantized(1.0f / 256, -128);
  EXPECT_EQ(other_axis.Run().code(), StatusCode::kInvalidModel);
  OpTester other_scale(ops::Softmax(), Axis(1), Rounding::Tflite);
  other_scale.Input<int8_t>(Shape::Of(2, 2), {1, 2, 3, 4})
      .Quantized(1.0f, 0)
      .OutputQuantized(1.0f / 128, -128);
  EXPECT_EQ(other_scale.Run().code(), StatusCode::kInvalidModel);
  OpTester unknown(ops::Softmax(), Axis(1), static_cast<Rounding>(7));
  unknown.Input<int8_t>(Shape::Of(1, 2), {1, 2}).Quantized(1.0f, 0).OutputQuantized(1.0f / 256, -128);
  EXPECT_EQ(unknown.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort::testing::tflite_rounding
