#include "kernels/fourier/fourier.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;

// By the definition.
std::vector<Complex> Reference(const std::vector<Complex>& x, bool inverse) {
  constexpr double kPi = 3.14159265358979323846;
  const auto n = static_cast<int64_t>(x.size());
  std::vector<Complex> y;
  for (int64_t k = 0; k < n; ++k) {
    Complex sum = {0, 0};
    for (int64_t j = 0; j < n; ++j) {
      const double angle = (inverse ? 2 : -2) * kPi * static_cast<double>(j * k % n) / static_cast<double>(n);
      const Complex& v = x[static_cast<size_t>(j)];
      sum.re += v.re * std::cos(angle) - v.im * std::sin(angle);
      sum.im += v.re * std::sin(angle) + v.im * std::cos(angle);
    }
    const double scale = inverse ? 1 / static_cast<double>(n) : 1;
    y.push_back({sum.re * scale, sum.im * scale});
  }
  return y;
}

TEST(Fourier, MatchesTheDefinitionForAnyLength) {
  Random random(1);
  for (int64_t n : {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 64, 100, 127, 400}) {
    for (bool inverse : {false, true}) {
      SCOPED_TRACE(n);
      const FourierPlan plan = PlanFourier(n, inverse);
      GuardedBuffer<Complex> tables(static_cast<size_t>(FourierTableSize(plan)));
      GuardedBuffer<Complex> work(static_cast<size_t>(FourierWorkSize(plan)));
      MakeFourierTables(plan, tables.data());
      std::vector<Complex> x;
      for (int64_t i = 0; i < n; ++i) {
        const double re = static_cast<double>(random.Float(-1, 1));
        x.push_back({re, static_cast<double>(random.Float(-1, 1))});
        work.data()[i] = x.back();
      }
      TransformFourier(plan, tables.data(), work.data());
      EXPECT_TRUE(tables.GuardsIntact());
      EXPECT_TRUE(work.GuardsIntact());
      const std::vector<Complex> expected = Reference(x, inverse);
      for (int64_t k = 0; k < n; ++k) {
        ASSERT_NEAR(expected[static_cast<size_t>(k)].re, work.data()[k].re, 1e-11) << k;
        ASSERT_NEAR(expected[static_cast<size_t>(k)].im, work.data()[k].im, 1e-11) << k;
      }
    }
  }
}

}  // namespace
}  // namespace micrort
