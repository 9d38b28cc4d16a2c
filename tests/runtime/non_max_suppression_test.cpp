#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

// The definition: the best of all that are left is kept, and lowers the scores of the others.
std::vector<std::pair<int64_t, float>> SoftlyKept(const std::vector<float>& boxes, std::vector<float> scores,
                                                  float iou, float least, float sigma, size_t most) {
  std::vector<std::pair<int64_t, float>> kept;
  std::vector<bool> is_left(scores.size(), true);
  const auto overlap = [&](size_t a, size_t b) {
    float both = 1, area_a = 1, area_b = 1;
    for (size_t axis = 0; axis < 2; ++axis) {
      const float *p = &boxes[4 * a + axis], *q = &boxes[4 * b + axis];
      both *= std::max(0.0f, std::min(p[2], q[2]) - std::max(p[0], q[0]));
      area_a *= p[2] - p[0], area_b *= q[2] - q[0];
    }
    return both / (area_a + area_b - both);
  };
  while (kept.size() < most) {
    size_t best = scores.size();
    for (size_t i = 0; i < scores.size(); ++i) {
      if (is_left[i] && scores[i] > least && (best == scores.size() || scores[i] > scores[best])) best = i;
    }
    if (best == scores.size()) break;
    kept.emplace_back(static_cast<int64_t>(best), scores[best]);
    is_left[best] = false;
    for (size_t i = 0; i < scores.size(); ++i) {
      const float o = overlap(best, i);
      scores[i] *= o <= iou ? std::exp(-0.5f / sigma * o * o) : 0;
    }
  }
  return kept;
}

TEST(NonMaxSuppression, LowersScoresSoftly) {
  constexpr size_t kCount = 40;
  std::vector<float> boxes, scores;
  for (size_t i = 0; i < kCount; ++i) {
    const auto y = static_cast<float>(i * 7 % 11), x = static_cast<float>(i * 5 % 13);
    boxes.insert(boxes.end(), {y, x, y + 4, x + 3 + static_cast<float>(i % 3)});
    scores.push_back(static_cast<float>(i * 17 % 41 + 1) / 41);
  }
  for (const float iou : {1.0f, 0.3f}) {
    OpTester op = Nms();
    op.AddOutput().Input<float>(Shape::Of(1, kCount, 4), boxes).Input<float>(Shape::Of(1, 1, kCount), scores);
    op.Known({30}).Input<float>(Shape::Of(), {iou}).Input<float>(Shape::Of(), {0.05f});
    op.Input<float>(Shape::Of(), {0.25f});
    ASSERT_TRUE(op.Run().ok());
    const auto expected = SoftlyKept(boxes, scores, iou, 0.05f, 0.25f, 30);
    const auto rows = op.Output<int64_t>();
    const auto lowered = op.Output<float>(1);
    ASSERT_EQ(rows.size(), 3 * expected.size());
    ASSERT_EQ(lowered.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(rows[3 * i + 2], expected[i].first) << i;
      EXPECT_NEAR(lowered[i], expected[i].second, 1e-5f) << i;
    }
  }
}

TEST(NonMaxSuppression, EndsSoftlyWithScoresThatAreNoNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  OpTester op = Nms();
  op.AddOutput().Input<float>(Shape::Of(1, 3, 4), {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1});
  op.Input<float>(Shape::Of(1, 1, 3), {nan, -1, nan}).Known({3}).Input<float>(Shape::Of(), {1}).Absent();
  op.Input<float>(Shape::Of(), {0.5f});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(3, 3));
}

TEST(NonMaxSuppression, NeedsASigmaAbove0) {
  OpTester op = Nms();
  op.AddOutput()
      .Input<float>(Shape::Of(1, 1, 4), {0, 0, 1, 1})
      .Input<float>(Shape::Of(1, 1, 1), {1})
      .Known({1});
  op.Input<float>(Shape::Of(), {1}).Absent().Input<float>(Shape::Of(), {0});
  EXPECT_EQ(op.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
