#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::OpTester;

// OpTester cannot hold std::vector<bool>.
OpTester& ConditionInput(OpTester& op, const Shape& shape, const std::vector<uint8_t>& values) {
  op.Input(shape, values);
  op.InputType(DType::kBool);
  return op;
}

template <typename T>
std::vector<T> Choose(const std::vector<T>& a, const std::vector<T>& b) {
  OpTester op(ops::Select(), schema::SelectOptionsT());
  ConditionInput(op, Shape::Of(a.size()), std::vector<uint8_t>{1, 0, 1}).Input(Shape::Of(a.size()), a);
  op.Input(Shape::Of(b.size()), b);
  const Status status = op.Run();
  EXPECT_TRUE(status.ok()) << status.message();
  return op.Output<T>();
}

TEST(Select, ElementsOfEverySize) {
  EXPECT_THAT(Choose<int8_t>({1, 2, 3}, {4, 5, 6}), ElementsAre(1, 5, 3));
  EXPECT_THAT(Choose<int16_t>({1, 2, 3}, {4, 5, 6}), ElementsAre(1, 5, 3));
  EXPECT_THAT(Choose<float>({1, 2, 3}, {4, 5, 6}), ElementsAre(1, 5, 3));
  EXPECT_THAT(Choose<int64_t>({1, 2, 3}, {4, 5, 6}), ElementsAre(1, 5, 3));
}

TEST(Select, AllThreeBroadcast) {
  OpTester op(ops::Select(), schema::SelectOptionsT());
  ConditionInput(op, Shape::Of(2, 1, 1), {1, 0}).Input<float>(Shape::Of(3), {1, 2, 3});
  op.Input<float>(Shape::Of(2, 1), {10, 20});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(2, 2, 3));
  EXPECT_THAT(op.Output<float>(), ElementsAre(1, 2, 3, 1, 2, 3, 10, 10, 10, 20, 20, 20));
}

TEST(Select, RefusesMixedTypes) {
  OpTester op(ops::Select(), schema::SelectOptionsT());
  ConditionInput(op, Shape::Of(1), {1}).Input<float>(Shape::Of(1), {1}).Input<int32_t>(Shape::Of(1), {1});
  EXPECT_EQ(op.Run().code(), StatusCode::kInvalidModel);

  OpTester condition(ops::Select(), schema::SelectOptionsT());
  condition.Input<float>(Shape::Of(1), {1}).Input<float>(Shape::Of(1), {1}).Input<float>(Shape::Of(1), {1});
  EXPECT_EQ(condition.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
