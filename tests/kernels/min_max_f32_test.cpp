#include "kernels/reduce/min_max_f32.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/infinity.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

TEST(MinMaxF32, FindsTheRangeAndPassesOverNaN) {
  for (const MinMaxF32Kernel& kernel : MinMaxF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (size_t n = 0; n <= 100; ++n) {
      testing::Random random(static_cast<uint32_t>(n + 1));
      testing::GuardedBuffer<float> x(n, 0.0f, 1);
      random.Fill(x, -100, 100);
      if (n > 4) x[static_cast<size_t>(random.Integer(0, static_cast<int64_t>(n) - 1))] = std::nanf("");
      float low = kInfinity, high = -kInfinity;
      for (float v : x) {
        low = v < low ? v : low;
        high = v > high ? v : high;
      }
      const MinMax r = kernel.run(x.data(), n);
      EXPECT_EQ(r.min, low) << kernel.name << " n " << n;
      EXPECT_EQ(r.max, high) << kernel.name << " n " << n;
    }
  }
}

}  // namespace
}  // namespace micrort
