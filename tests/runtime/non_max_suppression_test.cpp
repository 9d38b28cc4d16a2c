#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OpTester;

// Three places, the first two of which have a second box that overlaps the first by 82 and 90 percent.
const std::vector<float> kBoxes = {0, 0,  1, 1,  0, 0.1f,  1, 1.1f,  0, -0.1f, 1, 0.9f,
                                   0, 10, 1, 11, 0, 10.1f, 1, 11.1f, 0, 100,   1, 101};
const std::vector<float> kScores = {0.9f, 0.75f, 0.6f, 0.95f, 0.5f, 0.3f};

OpTester Nms(bool center_point_box = false) {
  schema::NonMaxSuppressionOptionsT options;
  options.center_point_box = center_point_box;
  return OpTester(ops::NonMaxSuppression(), options);
}

OpTester Suppress(int64_t max_output, float iou, float min_score) {
  OpTester op = Nms();
  op.Input<float>(Shape::Of(1, 6, 4), kBoxes).Input<float>(Shape::Of(1, 1, 6), kScores).Known({max_output});
  op.Input<float>(Shape::Of(1), {iou}).Input<float>(Shape::Of(1), {min_score});
  EXPECT_TRUE(op.Run().ok());
  return op;
}

TEST(NonMaxSuppression, KeepsTheBestOfEveryPlace) {
  EXPECT_THAT(Suppress(3, 0.5f, 0).Output<int64_t>(), ElementsAre(0, 0, 3, 0, 0, 0, 0, 0, 5));
  EXPECT_THAT(Suppress(2, 0.5f, 0).Output<int64_t>(), ElementsAre(0, 0, 3, 0, 0, 0));
  EXPECT_THAT(Suppress(3, 0.5f, 0.4f).Output<int64_t>(), ElementsAre(0, 0, 3, 0, 0, 0));
  EXPECT_EQ(Suppress(3, 0.5f, 0.4f).OutputShape(), Shape::Of(2, 3));
  EXPECT_THAT(Suppress(30, 1, 0).Output<int64_t>().size(), 18u);
  EXPECT_THAT(Suppress(0, 0.5f, 0).Output<int64_t>(), IsEmpty());
}

TEST(NonMaxSuppression, CornersMayBeSwappedOrCentersGiven) {
  OpTester swapped = Nms();
  swapped.Input<float>(Shape::Of(1, 2, 4), {1, 1, 0, 0, 0, 0.1f, 1, 1.1f});
  swapped.Input<float>(Shape::Of(1, 1, 2), {0.5f, 0.9f}).Known({2}).Input<float>(Shape::Of(), {0.5f});
  ASSERT_TRUE(swapped.Run().ok());
  EXPECT_THAT(swapped.Output<int64_t>(), ElementsAre(0, 0, 1));
  OpTester centers = Nms(true);
  centers.Input<float>(Shape::Of(1, 3, 4), {0.5f, 0.5f, 1, 1, 0.5f, 0.6f, 1, 1, 0.5f, 10.5f, 1, 1});
  centers.Input<float>(Shape::Of(1, 1, 3), {0.9f, 0.75f, 0.6f}).Known({3}).Input<float>(Shape::Of(1), {0.5f});
  ASSERT_TRUE(centers.Run().ok());
  EXPECT_THAT(centers.Output<int64_t>(), ElementsAre(0, 0, 0, 0, 0, 2));
}

TEST(NonMaxSuppression, BatchesAndClassesAreApart) {
  OpTester op = Nms();
  op.Input<float>(Shape::Of(2, 2, 4), {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 5, 5, 6, 6});
  op.Input<float>(Shape::Of(2, 2, 2), {1, 2, 3, 3, 1, 2, 4, 3}).Known({2});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int64_t>(), ElementsAre(0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1));
}

TEST(NonMaxSuppression, WithoutALimitNothingIsSelected) {
  OpTester op = Nms();
  op.Input<float>(Shape::Of(1, 6, 4), kBoxes).Input<float>(Shape::Of(1, 1, 6), kScores);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(0, 3));
}

TEST(NonMaxSuppression, RefusesWhatDoesNotFit) {
  OpTester boxes = Nms();
  boxes.Input<float>(Shape::Of(1, 2, 3), {0, 0, 0, 0, 0, 0}).Input<float>(Shape::Of(1, 1, 2), {1, 1});
  const Status status = boxes.Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("boxes of shape 1x2x3"));
  OpTester scores = Nms();
  scores.Input<float>(Shape::Of(1, 1, 4), {0, 0, 1, 1}).Input<float>(Shape::Of(1, 1, 2), {1, 1});
  EXPECT_EQ(scores.Run().code(), StatusCode::kInvalidModel);
  OpTester threshold = Nms();
  threshold.Input<float>(Shape::Of(1, 1, 4), {0, 0, 1, 1}).Input<float>(Shape::Of(1, 1, 1), {1}).Known({1});
  threshold.Input<double>(Shape::Of(), {0.5});
  EXPECT_EQ(threshold.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
