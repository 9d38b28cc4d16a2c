#include "kernels/elementwise/softmax_fixed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort::testing::softmax_fixed {
namespace {

std::vector<double> Expected(const int8_t* x, size_t n, double scale) {
  const double max = *std::max_element(x, x + n);
  std::vector<double> y(n);
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += y[i] = std::exp((x[i] - max) * scale);
  for (double& e : y) e = std::min(127.0, e / sum * 256 - 128);
  return y;
}

TEST(SoftmaxFixed, IsWithinAStepOfRealNumbers) {
  Random random(1);
  for (const float scale : {1e-3f, 0.02f, 0.1f, 0.7f, 3.0f}) {
    for (const size_t n : {size_t{1}, size_t{2}, size_t{10}, kMaxSoftmaxFixedRow}) {
      const size_t rows = 3;
      std::vector<int8_t> x(rows * n), y(rows * n);
      random.Fill(x, -128, 127);
      SoftmaxFixed(PlanSoftmaxFixed(rows, n, scale), x.data(), y.data(), ReversedParallel(2));
      for (size_t row = 0; row < rows; ++row) {
        const auto expected = Expected(x.data() + row * n, n, static_cast<double>(scale));
        for (size_t i = 0; i < n; ++i) ASSERT_NEAR(y[row * n + i], expected[i], 0.6) << scale << " of " << n;
      }
    }
  }
}

TEST(SoftmaxFixed, MayReplaceItsInput) {
  std::vector<int8_t> x = {1, -5, 30, 7}, y(4);
  const SoftmaxFixedTask task = PlanSoftmaxFixed(1, 4, 0.1f);
  SoftmaxFixed(task, x.data(), y.data(), ReversedParallel(1));
  SoftmaxFixed(task, x.data(), x.data(), ReversedParallel(1));
  EXPECT_EQ(x, y);
}

// Bits of 1 / 2 and of 1 / (1 + e) times 256.
TEST(SoftmaxFixed, HasFixedBits) {
  const std::vector<int8_t> x = {10, 10, 0, 4, 14, 127, -128, 127};
  std::vector<int8_t> y(x.size());
  SoftmaxFixed(PlanSoftmaxFixed(4, 2, 0.1f), x.data(), y.data(), ReversedParallel(1));
  EXPECT_THAT(y, ::testing::ElementsAre(0, 0, -25, 25, -128, 127, -128, 127));
}

TEST(SoftmaxFixed, AnyScaleIsSafe) {
  for (const float scale : {1e-38f, 1e-10f, 1e30f}) {
    std::vector<int8_t> x = {-128, 127, 0}, y(3);
    SoftmaxFixed(PlanSoftmaxFixed(1, 3, scale), x.data(), y.data(), ReversedParallel(1));
    EXPECT_EQ(*std::max_element(y.begin(), y.end()), y[1]) << scale;
  }
}

}  // namespace
}  // namespace micrort::testing::softmax_fixed
