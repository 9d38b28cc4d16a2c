#include "tools/io/similarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace micrort::io {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

Similarity Compare(const std::vector<float>& reference, const std::vector<float>& x) {
  Similarity similarity;
  similarity.Add(reference.data(), x.data(), x.size());
  return similarity;
}

TEST(Similarity, OfEqualTensorsIsPerfect) {
  const Similarity s = Compare({1, -2, kInf, NAN}, {1, -2, kInf, NAN});
  EXPECT_EQ(s.Snr(), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(s.Cosine(), 1);
  EXPECT_EQ(s.largest_error(), 0);
  EXPECT_DOUBLE_EQ(Compare({0, 0}, {0, 0}).Cosine(), 1);
}

TEST(Similarity, MeasuresSignalAgainstNoise) {
  const Similarity s = Compare({10, 0}, {10, 1});
  EXPECT_NEAR(s.Snr(), 20, 1e-9);
  EXPECT_NEAR(s.Cosine(), 10 / std::sqrt(101.0), 1e-9);
  EXPECT_EQ(s.largest_error(), 1);
}

TEST(Similarity, AddsUpOverRuns) {
  Similarity s;
  const float reference[] = {10, 0}, x[] = {10, 1};
  s.Add(reference, x, 1);
  s.Add(reference + 1, x + 1, 1);
  EXPECT_NEAR(s.Snr(), 20, 1e-9);
}

TEST(Similarity, DoesNotHideWhatIsNotFinite) {
  EXPECT_FALSE(std::isfinite(Compare({1}, {NAN}).Snr()));
  EXPECT_FALSE(Compare({1}, {kInf}).Snr() > 0);
  EXPECT_EQ(Compare({1, 2}, {0, 0}).Cosine(), 0);
}

}  // namespace
}  // namespace micrort::io
