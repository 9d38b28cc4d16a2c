#include "converter/observe/next_tokens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace micrort::observe {
namespace {

TEST(NextTokens, ComparesProbabilities) {
  NextTokens tokens;
  EXPECT_FALSE(tokens.is_known());
  // A quarter and three quarters, of which the second comes; then halves, and nothing comes.
  tokens.Add({0.0f, std::log(3.0f), 1.0f, 1.0f}, {2.0f, 2.0f, 0.0f, 0.0f}, {1, -1});
  EXPECT_EQ(tokens.positions(), 2u);
  EXPECT_EQ(tokens.predicted(), 1u);
  EXPECT_NEAR(tokens.perplexity_in_float(), 4.0 / 3, 1e-6);
  EXPECT_NEAR(tokens.perplexity(), 2.0, 1e-6);
  EXPECT_NEAR(tokens.divergence(), (0.25 * std::log(0.5) + 0.75 * std::log(1.5)) / 2, 1e-6);
  EXPECT_EQ(tokens.same(), 0.5);
  EXPECT_EQ(tokens.Text(),
            "perplexity: 2; in float 1.333; KL divergence 0.0654; 50.00 % the same tokens at 2 positions");
}

TEST(NextTokens, TokensThatNoModelExpectsAddNothing) {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  NextTokens tokens;
  tokens.Add({kNever, 0.0f}, {kNever, 5.0f}, {-1});
  EXPECT_EQ(tokens.divergence(), 0.0);
  EXPECT_TRUE(std::isnan(tokens.perplexity()));
  EXPECT_EQ(tokens.Text(), "KL divergence 0; 100.00 % the same tokens at 1 positions");
}

TEST(NextTokens, ScoresThatAreNoNumbersAreNotLikeTheirs) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(),
                  kInfinite = std::numeric_limits<float>::infinity();
  for (const float score : {kNaN, kInfinite, -kInfinite}) {
    SCOPED_TRACE(score);
    NextTokens tokens;
    tokens.Add({0.0f, 1.0f}, {score, 1.0f}, {-1});
    EXPECT_FALSE(tokens.divergence() <= 1e6);
  }
}

}  // namespace
}  // namespace micrort::observe
