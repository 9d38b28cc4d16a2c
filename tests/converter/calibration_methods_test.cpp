// Histograms and the ranges that calibration methods choose.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "converter/observe/clip_range.h"

namespace micrort::observe {
namespace {

void Add(const std::vector<float>& x, Histogram* histogram) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  histogram->Add(x.data(), x.size(), std::min(*low, 0.0f), std::max(*high, 0.0f));
}

// The count of the bin that holds x.
uint64_t CountAt(const Histogram& h, double x) {
  const double bin = std::floor((x - h.edge(0)) / h.width());
  return bin < 0 || bin >= Histogram::kBins ? 0 : h.counts()[static_cast<size_t>(bin)];
}

uint64_t Total(const Histogram& h) {
  return std::accumulate(h.counts().begin(), h.counts().end(), uint64_t{0});
}

TEST(Histogram, CountsAllButZeros) {
  Histogram h;
  Add({0.0f, 1.0f, 1.0f, -3.0f, -0.0f}, &h);
  EXPECT_EQ(h.total(), 3u);
  EXPECT_EQ(Total(h), 3u);
  EXPECT_EQ(CountAt(h, 1.0), 2u);
  EXPECT_EQ(CountAt(h, -3.0), 1u);
}

TEST(Histogram, StaysEmptyWhereAllIsZero) {
  Histogram h;
  Add({0.0f, 0.0f}, &h);
  EXPECT_TRUE(h.empty());
}

TEST(Histogram, GrowsInEitherDirectionAndLosesNothing) {
  std::mt19937 random(1);
  Histogram h;
  std::vector<float> all;
  float low = 0.0f, high = 0.0f;
  for (const double scale : {1e-6, -2e-6, 0.5, -0.25, 1.0, -3e4, 7.0, 5e4}) {
    std::uniform_real_distribution<float> uniform(0.0f, static_cast<float>(std::abs(scale)));
    std::vector<float> x(100);
    for (float& v : x) v = std::copysign(uniform(random), static_cast<float>(scale));
    Add(x, &h);
    all.insert(all.end(), x.begin(), x.end());
    low = std::min(low, *std::min_element(x.begin(), x.end()));
    high = std::max(high, *std::max_element(x.begin(), x.end()));
    EXPECT_EQ(Total(h), all.size()) << "seed 1, after values up to " << scale;
    EXPECT_LE(h.width(), (static_cast<double>(high) - low) / 1023);
  }
  for (const float x : all) EXPECT_GT(CountAt(h, x), 0u) << x;
}

TEST(Histogram, PutsEveryValueWhereItBelongs) {
  for (const float size : {1e-35f, 1.0f, 3e4f, 1e35f}) {
    std::vector<float> x = {-1e-38f, 1e-38f, -1e-42f, -0.0f};
    for (int i = -300; i <= 300; ++i) x.push_back(size * static_cast<float>(i) / 300.0f);
    Histogram h;
    Add(x, &h);
    std::map<int64_t, uint64_t> expected;
    for (const float value : x) {
      if (value != 0.0f) ++expected[static_cast<int64_t>(std::floor(value / h.width()))];
    }
    const auto lowest = static_cast<int64_t>(std::nearbyint(h.edge(0) / h.width()));
    for (const auto& [bin, count] : expected)
      EXPECT_EQ(h.counts()[static_cast<size_t>(bin - lowest)], count) << size << " " << bin;
    EXPECT_EQ(h.total(), x.size() - 2);
  }
}

TEST(Histogram, HoldsSubnormalAndHugeValues) {
  Histogram h;
  Add({1e-45f, -1e-45f}, &h);
  Add({3e38f, -3e38f}, &h);
  EXPECT_EQ(Total(h), 4u);
}

class ClippedRange : public ::testing::Test {
 protected:
  // Values spread as a bell of width 1, and one far outlier.
  ClippedRange() {
    std::mt19937 random(2);
    std::normal_distribution<float> normal;
    std::vector<float> x(100000);
    for (float& v : x) v = normal(random);
    x.push_back(100.0f);
    Add(x, &histogram_);
    all_ = {*std::min_element(x.begin(), x.end()), 100.0f, true};
  }

  Histogram histogram_;
  Range all_;
};

TEST_F(ClippedRange, OfPercentileLeavesOutAFewAtEitherEnd) {
  const Range range = PercentileRange(histogram_, all_);
  EXPECT_NEAR(range.max, 3.72f, 0.3f);  // 1 in 10,000 lies above 3.72 standard deviations
  EXPECT_NEAR(range.min, -3.72f, 0.3f);
}

TEST_F(ClippedRange, OfLeastSquaresWeighsTheOutlierByItsDistance) {
  const Range range = LeastSquaresRange(histogram_, all_);
  // Clipping at 100 - d costs d^2 once, and saves a share of 100,000 * (104 / 255)^2 / 12 = 1,386.
  EXPECT_LT(range.max, 90.0f);
  EXPECT_GT(range.max, 50.0f);
  EXPECT_LT(range.min, -2.5f);
}

TEST_F(ClippedRange, OfLeastDivergenceForgetsTheOutlier) {
  const Range range = LeastDivergenceRange(histogram_, all_);
  EXPECT_LT(range.max, 15.0f);
  EXPECT_GT(range.max, 2.5f);
  EXPECT_LT(range.min, -2.5f);
}

TEST(ClippedRangeOfOneSide, KeepsZeroAsItsEnd) {
  Histogram h;
  std::vector<float> x;
  for (int i = 1; i <= 1000; ++i) x.push_back(static_cast<float>(i));
  Add(x, &h);
  const Range all = {0.0f, 1000.0f, true};
  for (const Range& range :
       {PercentileRange(h, all), LeastSquaresRange(h, all), LeastDivergenceRange(h, all)}) {
    EXPECT_EQ(range.min, 0.0f);
    EXPECT_NEAR(range.max, 1000.0f, 100.0f);
  }
}

TEST(ClippedRangeOfNothing, IsTheRangeItself) {
  const Range all;
  EXPECT_EQ(PercentileRange(Histogram(), all).max, 0.0f);
  EXPECT_EQ(LeastSquaresRange(Histogram(), all).max, 0.0f);
  EXPECT_EQ(LeastDivergenceRange(Histogram(), all).max, 0.0f);
}

TEST(RangeObserverByMovingAverage, TakesTheMeanOfTheSamples) {
  float x[] = {0.0f, 0.0f};
  TensorView view;
  view.name = "x";
  view.dtype = DType::kFloat32;
  view.shape = Shape::Of(2);
  view.data = x;
  OpInfo op;
  op.inputs = {&view, 1};
  RangeObserver observer(CalibrationMethod::kMovingAverage);
  for (const float high : {1.0f, 2.0f, 6.0f}) {
    x[0] = high;
    x[1] = -2 * high;
    observer.BeforeOp(op);
    observer.EndSample();
  }
  const Ranges ranges = observer.calibration().ranges;
  EXPECT_FLOAT_EQ(ranges.at("x").max, 3.0f);
  EXPECT_FLOAT_EQ(ranges.at("x").min, -6.0f);
}

}  // namespace
}  // namespace micrort::observe
