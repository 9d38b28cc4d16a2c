// The requantizing epilogue with fixed-point multipliers: all variants round as kernels/base/fixed_point.h.

#include "kernels/gemm/requantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/base/fixed_point.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

constexpr size_t kRows = 3, kColumns = 37;
constexpr int32_t kZeroPoint = 3;

// Sums about the halves of both roundings, where variants would differ first.
class FixedTile {
 public:
  FixedTile(int lowest_shift, int highest_shift) {
    micrort::testing::Random random(1);
    for (size_t j = 0; j < kColumns; ++j) {
      shifts_.push_back(Integer(&random, lowest_shift, highest_shift));
      multipliers_.push_back(j % 5 == 0   ? 1 << 30
                             : j % 7 == 0 ? 0
                                          : Integer(&random, (1 << 30) + 1, INT32_MAX));
      bias_.push_back(Integer(&random, -3, 3));
    }
    for (size_t i = 0; i < kRows * kColumns; ++i) acc_.push_back(NearAHalf(&random, shifts_[i % kColumns]));
  }

  AccumulatorTile tile() const {
    const bool shifts_right = AreAllRight(shifts_.data(), kColumns);
    return {kRows,   kColumns,     acc_.data(),         kColumns,       bias_.data(), nullptr, nullptr,
            nullptr, sums_.data(), multipliers_.data(), shifts_.data(), shifts_right};
  }

  std::vector<int8_t> Expected() const {
    std::vector<int8_t> y;
    for (size_t i = 0; i < acc_.size(); ++i) {
      const size_t j = i % kColumns;
      const int32_t scaled = Multiply(acc_[i] + bias_[j], {multipliers_[j], shifts_[j]});
      y.push_back(static_cast<int8_t>(std::clamp(scaled, -100, 90) + kZeroPoint));
    }
    return y;
  }

 private:
  static int32_t Integer(micrort::testing::Random* random, int32_t low, int32_t high) {
    return static_cast<int32_t>(random->Integer(low, high));
  }
  static int32_t NearAHalf(micrort::testing::Random* random, int shift) {
    const int bits = std::clamp(-shift, 0, 20);
    return Integer(random, -60, 60) * (1 << bits) + (1 << bits) / 2 + Integer(random, -3, 3);
  }

  std::vector<int32_t> shifts_, multipliers_, bias_, acc_, sums_ = std::vector<int32_t>(kColumns);
};

// A layer's zero point and clamps: variants may be faster where nothing below the zero point counts.
struct Range {
  int32_t zero_point, lo, hi;
};

class RequantizeFixedRange : public ::testing::TestWithParam<Range> {};

// Sums about every half of the results, as near to it as a sum can come, and others, by all multipliers and
// shifts.
TEST_P(RequantizeFixedRange, SumsAreRoundedAsTheReference) {
  const auto [zero_point, lo, hi] = GetParam();
  constexpr size_t kWide = 32, kHigh = 7;
  constexpr int32_t kLargestSum = 1 << 28;
  micrort::testing::Random random(7);
  const auto integer = [&](int32_t low, int32_t high) {
    return static_cast<int32_t>(random.Integer(low, high));
  };
  for (int round = 0; round < 1000; ++round) {
    std::vector<int32_t> shifts, multipliers, bias, acc;
    const std::vector<int32_t> no_sums(kWide);
    for (size_t j = 0; j < kWide; ++j) {
      shifts.push_back(-integer(1, round % 2 == 0 ? 31 : 12));
      multipliers.push_back(j % 11 == 0 ? 1 << 30 : j % 13 == 0 ? INT32_MAX : integer(1 << 30, INT32_MAX));
      bias.push_back(integer(-100000, 100000));
    }
    std::vector<int8_t> expected;
    for (size_t i = 0; i < kWide * kHigh; ++i) {
      const size_t j = i % kWide;
      const double scale = multipliers[j] * std::ldexp(1.0, shifts[j] - 31);
      const double near_half = std::nearbyint((integer(-300, 300) + 0.5) / scale) + integer(-2, 2);
      const int32_t sum =
          i % 5 == 0 ? integer(-kLargestSum, kLargestSum)
                     : static_cast<int32_t>(std::clamp<double>(near_half, -kLargestSum, kLargestSum));
      acc.push_back(sum - bias[j]);
      const int32_t scaled = Multiply(sum, {multipliers[j], shifts[j]});
      expected.push_back(static_cast<int8_t>(std::clamp(scaled, lo, hi) + zero_point));
    }
    const AccumulatorTile tile = {kHigh,         kWide,   acc.data(), kWide,          bias.data(),
                                  nullptr,       nullptr, nullptr,    no_sums.data(), multipliers.data(),
                                  shifts.data(), true};
    for (const RequantizeKernel& kernel : RequantizeFixedKernels()) {
      if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
      std::vector<int8_t> y(acc.size());
      kernel.run(
          tile, {y.data(), nullptr, kWide, zero_point, 0, 0, static_cast<float>(lo), static_cast<float>(hi)});
      ASSERT_EQ(y, expected) << kernel.name << ", round " << round;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranges, RequantizeFixedRange,
                         ::testing::Values(Range{-128, 0, 255}, Range{127, -255, 0}, Range{0, -128, 127},
                                           Range{-128, 0, 100}, Range{-100, 5, 80}, Range{20, -148, 107}));

class RequantizeFixed : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(RequantizeFixed, AllVariantsRoundAsTheReference) {
  const FixedTile fixed(GetParam().first, GetParam().second);
  const std::vector<int8_t> expected = fixed.Expected();
  for (const RequantizeKernel& kernel : RequantizeFixedKernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    std::vector<int8_t> y(kRows * kColumns);
    kernel.run(fixed.tile(), {y.data(), nullptr, kColumns, kZeroPoint, 0, 0, -100, 90});
    EXPECT_EQ(y, expected) << kernel.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Shifts, RequantizeFixed,
                         ::testing::Values(std::pair(-12, -1), std::pair(-1, -1), std::pair(-31, -20),
                                           std::pair(-6, 0), std::pair(-8, 3), std::pair(0, 4)));

}  // namespace
}  // namespace micrort
