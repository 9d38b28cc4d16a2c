#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::OpTester;

OpTester CumulativeSum(bool exclusive, bool reverse) {
  schema::CumulativeSumOptionsT options;
  options.exclusive = exclusive;
  options.reverse = reverse;
  return OpTester(ops::CumulativeSum(), options);
}

std::vector<float> SumsOfRow(bool exclusive, bool reverse) {
  OpTester op = CumulativeSum(exclusive, reverse);
  op.Input<float>(Shape::Of(4), {1, 2, 3, 4}).Known({0});
  EXPECT_TRUE(op.Run().ok());
  return op.Output<float>();
}

TEST(CumulativeSum, ExclusiveAndReverse) {
  EXPECT_THAT(SumsOfRow(false, false), ElementsAre(1, 3, 6, 10));
  EXPECT_THAT(SumsOfRow(true, false), ElementsAre(0, 1, 3, 6));
  EXPECT_THAT(SumsOfRow(false, true), ElementsAre(10, 9, 7, 4));
  EXPECT_THAT(SumsOfRow(true, true), ElementsAre(9, 7, 4, 0));
}

template <typename T>
void ExpectSumsAlongAxes() {
  OpTester rows = CumulativeSum(false, false);
  rows.Input<T>(Shape::Of(2, 3), {1, 2, 3, 4, 5, 6});
  rows.Known(Shape::Of(), std::vector<int32_t>{0});
  ASSERT_TRUE(rows.Run().ok());
  EXPECT_THAT(rows.Output<T>(), ElementsAre(1, 2, 3, 5, 7, 9));
  OpTester columns = CumulativeSum(false, true);
  columns.Input<T>(Shape::Of(2, 3), {1, 2, 3, 4, 5, 6}).Known({-1});
  ASSERT_TRUE(columns.Run().ok());
  EXPECT_THAT(columns.Output<T>(), ElementsAre(6, 5, 3, 15, 11, 6));
}

TEST(CumulativeSum, EveryType) {
  ExpectSumsAlongAxes<float>();
  ExpectSumsAlongAxes<double>();
  ExpectSumsAlongAxes<int32_t>();
  ExpectSumsAlongAxes<uint32_t>();
  ExpectSumsAlongAxes<int64_t>();
  ExpectSumsAlongAxes<uint64_t>();
}

TEST(CumulativeSum, OfProducts) {
  schema::CumulativeSumOptionsT options;
  options.product = true;
  for (const auto& [exclusive, expected] :
       {std::pair(false, std::vector<float>{2, 6, -24}), {true, {1, 2, 6}}}) {
    options.exclusive = exclusive;
    OpTester op(ops::CumulativeSum(), options);
    op.Input<float>(Shape::Of(3), {2, 3, -4}).Known({0});
    ASSERT_TRUE(op.Run().ok());
    EXPECT_EQ(op.Output<float>(), expected);
  }
}

TEST(CumulativeSum, NothingToSum) {
  OpTester op = CumulativeSum(false, false);
  op.Input<float>(Shape::Of(0, 3), {}).Known({0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(0, 3));
}

TEST(CumulativeSum, Refusals) {
  OpTester axis = CumulativeSum(false, false);
  axis.Input<float>(Shape::Of(1), {1}).Known({1});
  EXPECT_EQ(axis.Run().code(), StatusCode::kInvalidModel);
  OpTester type = CumulativeSum(false, false);
  type.Input<int8_t>(Shape::Of(1), {1}).Known({0});
  EXPECT_EQ(type.Run().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort
