#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::OpTester;

OpTester Unique(bool flatten, int axis, bool sorted) {
  schema::UniqueOptionsT options;
  options.flatten = flatten;
  options.axis = axis;
  options.sorted = sorted;
  OpTester op(ops::Unique(), options);
  op.AddOutput().AddOutput().AddOutput();
  return op;
}

TEST(Unique, ElementsByValue) {
  OpTester op = Unique(true, 0, true);
  op.Input<float>(Shape::Of(2, 3), {2, 1, 1, 3, 4, 3});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(op.Output<int64_t>(1), ElementsAre(1, 0, 3, 4));
  EXPECT_THAT(op.Output<int64_t>(2), ElementsAre(1, 0, 0, 2, 3, 2));
  EXPECT_THAT(op.Output<int64_t>(3), ElementsAre(2, 1, 2, 1));
}

TEST(Unique, ElementsAsTheyAppear) {
  OpTester op = Unique(true, 0, false);
  op.Input<int8_t>(Shape::Of(6), {2, 1, 1, 3, -4, 3});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(2, 1, 3, -4));
  EXPECT_THAT(op.Output<int64_t>(1), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(op.Output<int64_t>(2), ElementsAre(0, 1, 1, 2, 3, 2));
  EXPECT_THAT(op.Output<int64_t>(3), ElementsAre(1, 2, 2, 1));
}

TEST(Unique, Slices) {
  OpTester rows = Unique(false, 0, true);
  rows.Input<float>(Shape::Of(3, 3), {1, 0, 0, 1, 0, 0, 0, 3, 4});
  ASSERT_TRUE(rows.Run().ok());
  EXPECT_EQ(rows.OutputShape(), Shape::Of(2, 3));
  EXPECT_THAT(rows.Output<float>(), ElementsAre(0, 3, 4, 1, 0, 0));
  EXPECT_THAT(rows.Output<int64_t>(1), ElementsAre(2, 0));

  OpTester columns = Unique(false, -1, true);
  columns.Input<float>(Shape::Of(2, 3), {1, 0, 1, 5, 7, 5});
  ASSERT_TRUE(columns.Run().ok());
  EXPECT_EQ(columns.OutputShape(), Shape::Of(2, 2));
  EXPECT_THAT(columns.Output<float>(), ElementsAre(0, 1, 7, 5));
  EXPECT_THAT(columns.Output<int64_t>(2), ElementsAre(1, 0, 1));
}

TEST(Unique, ZerosAreEqualAndSoAreNaNs) {
  OpTester op = Unique(true, 0, true);
  op.Input<float>(Shape::Of(5), {NAN, 0, -0.0f, -NAN, 1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int64_t>(1), ElementsAre(1, 4, 0));
}

TEST(Unique, NothingHasNoElements) {
  OpTester op = Unique(true, 0, true);
  op.Input<float>(Shape::Of(0, 2), {});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(0));
}

TEST(Unique, RefusesAxesOutside) {
  OpTester op = Unique(false, 2, true);
  op.Input<float>(Shape::Of(1, 2), {1, 2});
  EXPECT_EQ(op.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
