#include "kernels/reference/normalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::OpTester;
using testing::Random;

schema::NormalizeOptionsT Over(std::vector<int32_t> axes, bool centered = true, float epsilon = 1e-3f) {
  schema::NormalizeOptionsT options;
  options.axes = std::move(axes);
  options.centered = centered;
  options.epsilon = epsilon;
  return options;
}

void ExpectNear(const std::vector<float>& y, const std::vector<double>& expected) {
  ASSERT_EQ(y.size(), expected.size());
  for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(static_cast<double>(y[i]), expected[i], 1e-5) << i;
}

TEST(Normalize, LastAxisWithScaleAndBias) {
  Random random(3);
  std::vector<float> x(2 * 3 * 20), scale(20), bias(20);
  random.Fill(x, -2, 5);
  random.Fill(scale, -2, 2);
  random.Fill(bias, -2, 2);
  OpTester op(ops::Normalize(), Over({2}));
  op.Input(Shape::Of(2, 3, 20), x).Input(Shape::Of(20), scale).Input(Shape::Of(1, 20), bias);
  ASSERT_TRUE(op.Run().ok());
  std::vector<double> expected(x.size());
  reference::Normalize({6, 1, 1, 20, 1e-3, true}, x.data(), scale.data(), bias.data(), expected.data());
  ExpectNear(op.Output<float>(), expected);
}

TEST(Normalize, MeanSquareOverImageWithBiasOnly) {
  Random random(4);
  std::vector<float> x(2 * 3 * 4 * 5), bias(5);
  random.Fill(x, -2, 5);
  random.Fill(bias, -2, 2);
  OpTester op(ops::Normalize(), Over({1, 2}, false));
  op.Input(Shape::Of(2, 3, 4, 5), x).Absent().Input(Shape::Of(5), bias);
  ASSERT_TRUE(op.Run().ok());
  std::vector<double> expected(x.size());
  const std::vector<float> ones(5, 1);
  reference::Normalize({2, 12, 5, 1, 1e-3, false}, x.data(), ones.data(), bias.data(), expected.data());
  ExpectNear(op.Output<float>(), expected);
}

TEST(Normalize, EmptyTensors) {
  for (const Shape& shape : {Shape::Of(0, 3), Shape::Of(3, 0), Shape::Of(0, 1 << 30, 1 << 30)}) {
    OpTester op(ops::Normalize(), Over({0}));
    op.Input<float>(shape, {});
    EXPECT_TRUE(op.Run().ok());
  }
}

TEST(Normalize, RefusesOptionsThatMakeNoSense) {
  for (const auto& options :
       {Over({1, 0}), Over({1, 1}), Over({-1}), Over({2}), Over({1}, true, -1.0f),
        Over({1}, true, std::numeric_limits<float>::quiet_NaN()),
        Over({1}, true, std::numeric_limits<float>::infinity()), Over({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})}) {
    OpTester op(ops::Normalize(), options);
    op.Input<float>(Shape::Of(1, 2), {1, 2});
    EXPECT_EQ(op.Run().code(), StatusCode::kInvalidModel);
  }
}

TEST(Normalize, RefusesOtherTypesAndShapes) {
  OpTester integers(ops::Normalize(), Over({0}));
  integers.Input<int32_t>(Shape::Of(2), {1, 2});
  EXPECT_EQ(integers.Run().code(), StatusCode::kUnsupported);

  OpTester bias(ops::Normalize(), Over({0}));
  bias.Input<float>(Shape::Of(2), {1, 2}).Absent().Input<int32_t>(Shape::Of(2), {1, 2});
  EXPECT_EQ(bias.Run().code(), StatusCode::kUnsupported);

  OpTester scale(ops::Normalize(), Over({1}));
  scale.Input<float>(Shape::Of(1, 2), {1, 2}).Input<float>(Shape::Of(3), {1, 2, 3});
  EXPECT_EQ(scale.Run().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort
