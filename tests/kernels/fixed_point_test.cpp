#include "kernels/base/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace micrort::testing::fixed_point {
namespace {

double Value(FixedMultiplier m) { return std::ldexp(static_cast<double>(m.multiplier), m.shift - 31); }

TEST(FixedPoint, MultipliersAreTheNearest) {
  for (const double x : {1e-9, 3.7e-4, 0.25, 0.9999999999, 1.0, 17.3, 1e9}) {
    const FixedMultiplier m = NearestFixedMultiplier(x);
    EXPECT_GE(m.multiplier, 1 << 30) << x;
    EXPECT_NEAR(Value(m) / x, 1, 0x1p-31) << x;
  }
  EXPECT_EQ(NearestFixedMultiplier(0).multiplier, 0);
  EXPECT_EQ(NearestFixedMultiplier(1e-30).multiplier, 0);
  EXPECT_EQ(NearestFixedMultiplier(1e30).multiplier, INT32_MAX);
}

TEST(FixedPoint, ProductsAreRoundedTwice) {
  // 1026 times it is 1023.996 / 2048, which becomes 1024 / 2048, a half, and so 1.
  const FixedMultiplier m = NearestFixedMultiplier(0.4990234375 / 1024);
  EXPECT_EQ(m.shift, -11);
  EXPECT_EQ(Multiply(1025, m), 0);
  EXPECT_EQ(Multiply(1026, m), 1);
  EXPECT_LT(1026 * Value(m), 0.5);
  EXPECT_EQ(Multiply(-1026, m), -1);
}

TEST(FixedPoint, HalvesGoAwayFromZero) {
  EXPECT_EQ(ShiftRightRounded(3, 1), 2);
  EXPECT_EQ(ShiftRightRounded(-3, 1), -2);
  EXPECT_EQ(ShiftRightRounded(-3, 0), -3);
  EXPECT_EQ(ShiftRightRounded(INT32_MAX, 31), 1);
  EXPECT_EQ(ShiftRightRounded(INT32_MIN, 31), -1);
  EXPECT_EQ(ShiftRightRounded(INT32_MIN, 0), INT32_MIN);
}

TEST(FixedPoint, DoublingSaturates) {
  EXPECT_EQ(DoublingHighMul(INT32_MIN, INT32_MIN), INT32_MAX);
  EXPECT_EQ(DoublingHighMul(INT32_MAX, INT32_MAX), INT32_MAX - 1);
  EXPECT_EQ(ShiftLeftSaturated(1 << 29, 2), INT32_MAX);
  EXPECT_EQ(ShiftLeftSaturated(-(1 << 29), 2), INT32_MIN);
}

}  // namespace
}  // namespace micrort::testing::fixed_point
