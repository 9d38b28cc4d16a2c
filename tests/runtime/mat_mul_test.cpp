#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::OpTester;
using ::testing::Pointwise;

TEST(MatMulOp, ConstantMatrix) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<float>(Shape::Of(2, 3), {1, 2, 3, 4, 5, 6})
      .Constant<float>(Shape::Of(3, 2), {1, 0, 0, 1, 1, 1})
      .Constant<float>(Shape::Of(2), {10, 20});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(14, 25, 20, 31));
  EXPECT_EQ(op.result().multiply_adds, 12);
}

TEST(MatMulOp, Transposed) {
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  OpTester op(ops::MatMul(), options);
  op.Input<float>(Shape::Of(2, 3), {1, 2, 3, 4, 5, 6}).Input<float>(Shape::Of(2, 3), {1, 0, 1, 0, 1, 1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(4, 5, 10, 11));
}

TEST(MatMulOp, BatchesBroadcastBothWays) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<float>(Shape::Of(2, 1, 1, 2), {1, 2, 3, 4})
      .Input<float>(Shape::Of(3, 2, 1), {1, 1, 10, 10, 1, -1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(2, 3, 1, 1));
  EXPECT_THAT(op.Output<float>(), ElementsAre(3, 30, -1, 7, 70, -1));
}

TEST(MatMulOp, ABatchOfConstantMatricesIsPackedOnce) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<float>(Shape::Of(1, 2), {1, 2}).Constant<float>(Shape::Of(2, 2, 1), {1, 1, 10, 10});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(3, 30));
}

TEST(MatMulOp, ResidualAndActivation) {
  schema::MatMulOptionsT options;
  options.activation = {schema::ActivationKind::LeakyRelu, 0.5f, 0.0f};
  OpTester op(ops::MatMul(), options);
  op.Input<float>(Shape::Of(2, 1), {1, 2})
      .Constant<float>(Shape::Of(1, 1), {3})
      .Absent()
      .Input<float>(Shape::Of(2, 1), {1, -10});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(4, -2));
}

TEST(MatMulOp, DynamicInt8HasAScaleForEveryRow) {
  schema::MatMulOptionsT options;
  options.compute = schema::WeightCompute::DynamicInt8;
  OpTester op(ops::MatMul(), options);
  op.Input<float>(Shape::Of(2, 2), {0.1f, 0.2f, -300, 600})
      .Constant<int8_t>(Shape::Of(2, 2), {100, 50, 100, -50})
      .QuantizedAlong(1, {0.01f, 0.02f});
  ASSERT_TRUE(op.Run().ok());
  const std::vector<float> out = op.Output<float>();
  EXPECT_THAT(std::vector<float>(out.begin(), out.begin() + 2), Pointwise(FloatNear(0.001f), {0.3f, -0.1f}));
  EXPECT_THAT(std::vector<float>(out.begin() + 2, out.end()), Pointwise(FloatNear(4.0f), {300.0f, -900.0f}));
}

TEST(MatMulOp, SymmetricInt8RoundsToStepsOfTheLargestMagnitude) {
  schema::MatMulOptionsT options;
  options.compute = schema::WeightCompute::SymmetricInt8;
  OpTester op(ops::MatMul(), options);
  // Steps of 2 and of 1.
  op.Input<float>(Shape::Of(2, 2), {-254, 31, 127, 1.4f})
      .Constant<int8_t>(Shape::Of(2, 1), {4, 8})
      .QuantizedAlong(1, {0.25f});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(-254 + 2 * 32, 127 + 2 * 1));
}

TEST(MatMulOp, StaticInt8) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<int8_t>(Shape::Of(1, 2), {3, 5}).Quantized(1.0f, 1);
  op.Constant<int8_t>(Shape::Of(2, 1), {7, -2}).Quantized(0.5f, 0).Constant<int32_t>(Shape::Of(1), {2});
  op.OutputType(DType::kInt8).OutputQuantized(0.5f, 4);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(2 * 7 - 4 * 2 + 2 + 4));
}

TEST(MatMulOp, EmptyProduct) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<float>(Shape::Of(0, 2), {}).Constant<float>(Shape::Of(2, 3), std::vector<float>(6));
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(0, 3));
}

TEST(MatMulOp, SumsOfNoProductsAreZero) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<float>(Shape::Of(3, 2, 0), {});
  op.Input<float>(Shape::Of(0, 1), {});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(3, 2, 1));
  EXPECT_EQ(op.Output<float>(), std::vector<float>(6, 0.0f));
}

TEST(MatMulOp, SumsOfNoProductsAreTheirBiasAndResidualWithTheActivation) {
  schema::MatMulOptionsT options;
  options.activation = {schema::ActivationKind::Clip, 0.0f, 5.0f};
  OpTester op(ops::MatMul(), options);
  op.Input<float>(Shape::Of(2, 0), {});
  op.Input<float>(Shape::Of(0, 2), {});
  op.Input<float>(Shape::Of(2), {1, -2});
  op.Input<float>(Shape::Of(2, 2), {1, 1, 10, 3});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.Output<float>(), (std::vector<float>{2, 0, 5, 1}));
}

TEST(MatMulOp, SumsOfNoProductsWithAnActivationThatIsNoClampAreRefused) {
  schema::MatMulOptionsT options;
  options.activation = {schema::ActivationKind::Sigmoid, 0.0f, 0.0f};
  OpTester op(ops::MatMul(), options);
  op.Input<float>(Shape::Of(3, 0), {});
  op.Input<float>(Shape::Of(0, 1), {});
  EXPECT_EQ(op.Infer().code(), StatusCode::kUnsupported);
}

TEST(MatMulOp, SumsOfNoProductsOfInt8AreRefused) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<int8_t>(Shape::Of(2, 0), {}).Quantized(1.0f, 0);
  op.Constant<int8_t>(Shape::Of(0, 1), {}).Quantized(1.0f, 0);
  EXPECT_EQ(op.Infer().code(), StatusCode::kUnsupported);
}

TEST(MatMulOp, RefusesShapesThatDoNotMatch) {
  const Shape pairs[][2] = {{Shape::Of(2), Shape::Of(2, 1)},
                            {Shape::Of(1, 2), Shape::Of(3, 1)},
                            {Shape::Of(2, 1, 2), Shape::Of(3, 2, 1)},
                            {Shape::Of(1, 0), Shape::Of(1, 1)}};
  for (const auto& pair : pairs) {
    OpTester op(ops::MatMul(), schema::MatMulOptionsT());
    op.Input<float>(pair[0], std::vector<float>(static_cast<size_t>(pair[0].elements())));
    op.Input<float>(pair[1], std::vector<float>(static_cast<size_t>(pair[1].elements())));
    EXPECT_EQ(op.Infer().code(), StatusCode::kInvalidModel);
  }
}

}  // namespace
}  // namespace micrort
