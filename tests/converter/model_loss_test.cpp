#include "converter/quantize/model_loss.h"

#include <gtest/gtest.h>

#include <limits>

namespace micrort::testing::model_loss {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

double NoiseOf(const std::vector<float>& expected, const std::vector<float>& found) {
  io::Similarity similarity;
  similarity.Add(expected.data(), found.data(), expected.size());
  return quantize::NoiseOverSignal(similarity);
}

TEST(NoiseOverSignal, IsTheRatioOfTheSquares) {
  EXPECT_NEAR(NoiseOf({3.0f, 0.0f, 4.0f}, {3.0f, 1.0f, 6.0f}), 5.0 / 25.0, 1e-12);
  EXPECT_EQ(NoiseOf({1.0f, 2.0f}, {1.0f, 2.0f}), 0.0);
  EXPECT_EQ(NoiseOf({0.0f}, {1.0f}), kInfinity);
}

// Halves that overflow, for instance, and what comes after them.
TEST(NoiseOverSignal, IsInfiniteWhereOneSideAloneIsNoNumber) {
  for (const float x : {kInfinity, -kInfinity, kNotANumber}) {
    EXPECT_EQ(NoiseOf({1.0f, 2.0f}, {1.0f, x}), kInfinity) << x;
    EXPECT_EQ(NoiseOf({1.0f, x}, {1.0f, 2.0f}), kInfinity) << x;
  }
  EXPECT_EQ(NoiseOf({2.0f, kInfinity, kNotANumber}, {2.0f, kInfinity, kNotANumber}), 0.0);
}

TEST(IsAnswer, IsTheLargestNumber) {
  EXPECT_TRUE(quantize::IsAnswer({1.0f, 3.0f, 2.0f}, 1));
  EXPECT_FALSE(quantize::IsAnswer({1.0f, 3.0f, 2.0f}, 0));
  EXPECT_FALSE(quantize::IsAnswer({kNotANumber, kNotANumber}, 0));
  EXPECT_FALSE(quantize::IsAnswer({}, 0));
}

}  // namespace
}  // namespace micrort::testing::model_loss
