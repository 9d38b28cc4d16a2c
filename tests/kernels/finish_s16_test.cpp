// The epilogue of int16 layers in floating point against 64-bit integers.

#include "kernels/layer_s16/finish_s16.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/base/cpu_features.h"
#include "kernels/layer_s16/wide_multiplier.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

constexpr size_t kRows = 3, kBlocks = 2, kStride = 40;

struct FinishCase {
  size_t n;
  std::vector<int32_t> acc;
  std::vector<int64_t> bias;
  std::vector<FixedMultiplier> by;
  std::vector<double> bias_doubles, scales;

  FinishCase(size_t columns, uint32_t seed)
      : n(columns), acc(kBlocks * kRows * kStride), bias(n), by(n), bias_doubles(n + 8), scales(n + 8) {
    Random random(seed);
    random.Fill(acc, INT32_MIN, INT32_MAX);
    for (size_t j = 0; j < n; ++j) {
      // Of both signs, up to what is exact, and half-way cases among them.
      const auto magnitude = int64_t{1} << random.Integer(0, 36);
      bias[j] = seed % 2 == 0 ? magnitude : -magnitude;
      by[j] = {static_cast<int32_t>(random.Integer(0, 3) == 0 ? 1 << 14 : random.Integer(1 << 14, 0x7fff)),
               static_cast<int32_t>(random.Integer(1, 46))};
      if (random.Integer(0, 9) == 0) by[j].multiplier = 0;
      bias_doubles[j] = static_cast<double>(bias[j]);
      scales[j] = std::ldexp(static_cast<double>(by[j].multiplier), -by[j].shift);
    }
  }

  int16_t Expected(size_t i, size_t j, int32_t lo, int32_t hi) const {
    int64_t sum = bias[j];
    for (size_t b = 0; b < kBlocks; ++b) sum += acc[(b * kRows + i) * kStride + j];
    return static_cast<int16_t>(std::clamp(MultiplyWide(sum, by[j]), lo, hi));
  }
};

TEST(FinishS16, IsThatOfIntegers) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const FinishCase c(1 + seed % 33, seed);
    const int32_t lo = seed % 3 == 0 ? 0 : INT16_MIN, hi = seed % 5 == 0 ? 20000 : INT16_MAX;
    for (const FinishS16Kernel& kernel : FinishS16Kernels()) {
      if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
      GuardedBuffer<int16_t> y(kRows * c.n);
      kernel.run({kRows, c.n, c.acc.data(), kStride, kBlocks, kRows * kStride, c.bias_doubles.data(),
                  c.scales.data(), lo, hi, y.data(), c.n});
      ASSERT_TRUE(y.GuardsIntact()) << kernel.name;
      for (size_t i = 0; i < kRows; ++i) {
        for (size_t j = 0; j < c.n; ++j)
          ASSERT_EQ(y.data()[i * c.n + j], c.Expected(i, j, lo, hi)) << kernel.name << " seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace micrort::testing
