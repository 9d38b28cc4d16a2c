#include "kernels/reference/softmax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::OpTester;
using testing::Random;

schema::SoftmaxOptionsT Axis(int axis, bool log = false) {
  schema::SoftmaxOptionsT options;
  options.axis = axis;
  options.log = log;
  return options;
}

TEST(Softmax, EveryAxis) {
  Random random(9);
  std::vector<float> x(2 * 5 * 7);
  random.Fill(x, -3, 3);
  const size_t outer[] = {1, 2, 10}, n[] = {2, 5, 7}, inner[] = {35, 7, 1};
  for (int axis = 0; axis < 3; ++axis) {
    OpTester op(ops::Softmax(), Axis(axis, axis == 1));
    op.Input(Shape::Of(2, 5, 7), x);
    ASSERT_TRUE(op.Run().ok());
    std::vector<double> expected(x.size());
    reference::Softmax(x.data(), expected.data(), outer[axis], n[axis], inner[axis], axis == 1);
    const std::vector<float> y = op.Output<float>();
    for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(static_cast<double>(y[i]), expected[i], 1e-6) << axis;
  }
}

// The same bits as from floats.
TEST(Softmax, Int8) {
  Random random(10);
  std::vector<int8_t> x(2 * 5 * 70);
  random.Fill(x, -128, 127);
  std::vector<float> floats;
  for (const int8_t q : x) floats.push_back(static_cast<float>(q - 3) * 0.05f);
  for (int axis = 0; axis < 3; ++axis) {
    OpTester expected(ops::Softmax(), Axis(axis)), found(ops::Softmax(), Axis(axis));
    expected.Input(Shape::Of(2, 5, 70), floats);
    found.Input(Shape::Of(2, 5, 70), x).Quantized(0.05f, 3).OutputQuantized(1.0f / 256, -128);
    ASSERT_TRUE(expected.Run().ok());
    ASSERT_TRUE(found.Run().ok());
    const std::vector<float> y = expected.Output<float>();
    const std::vector<int8_t> q = found.Output<int8_t>();
    ASSERT_EQ(q.size(), y.size());
    for (size_t i = 0; i < q.size(); ++i) {
      ASSERT_EQ(q[i], std::min(127.0f, std::nearbyint(y[i] * 256) - 128)) << axis << " " << i;
    }
  }
}

TEST(Softmax, EmptyTensorsAndBadAxes) {
  OpTester empty(ops::Softmax(), Axis(1));
  empty.Input<float>(Shape::Of(3, 0), {});
  EXPECT_TRUE(empty.Run().ok());

  OpTester axis(ops::Softmax(), Axis(2));
  axis.Input<float>(Shape::Of(1, 1), {1});
  EXPECT_EQ(axis.Run().code(), StatusCode::kInvalidModel);

  OpTester scalar(ops::Softmax(), Axis(0));
  scalar.Input<float>(Shape(), {1});
  EXPECT_EQ(scalar.Run().code(), StatusCode::kInvalidModel);

  OpTester type(ops::Softmax(), Axis(0));
  type.Input<int32_t>(Shape::Of(1), {1});
  EXPECT_EQ(type.Run().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort
