#include "kernels/elementwise/softmax_f32.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/reference/softmax.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;
using testing::ReversedParallel;

const SoftmaxShape kSoftmaxShapes[] = {{1, 1, 1},    {3, 2, 1},    {9, 2, 1},    {5, 7, 1},    {2, 16, 1},
                                       {3, 17, 1},   {2, 40, 1},   {2, 1000, 1}, {1, 5, 3},    {2, 5, 8},
                                       {2, 3, 13},   {1, 21, 100}, {4, 1, 6},    {30, 700, 1}, {2, 19, 900},
                                       {4420, 2, 1}, {1, 20000, 2}};

TEST(SoftmaxF32, RowsMatchReferenceAndEachOther) {
  for (const SoftmaxShape& s : kSoftmaxShapes) {
    for (const bool log : {false, true}) {
      SCOPED_TRACE(::testing::Message() << s.outer << "x" << s.n << "x" << s.inner << " log " << log);
      const size_t elements = s.outer * s.n * s.inner;
      GuardedBuffer<float> x(elements, 0, 1);
      Random random(static_cast<uint32_t>(elements));
      random.Fill(x, -20, 20);
      std::vector<double> expected(elements);
      reference::Softmax(x.data(), expected.data(), s.outer, s.n, s.inner, log);
      std::vector<float> first;
      for (const SoftmaxF32Kernel& kernel : SoftmaxF32Kernels()) {
        if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
        GuardedBuffer<float> y(elements, 0, 3);
        SoftmaxF32(kernel, s, log, x.data(), y.data(), ReversedParallel(3));
        EXPECT_TRUE(y.GuardsIntact()) << kernel.name;
        for (size_t i = 0; i < elements; ++i) {
          // Sums in order lose a little more with every term.
          const double relative = 4e-6 + 1e-9 * static_cast<double>(s.n);
          const double tolerance =
              log ? relative * (std::fabs(expected[i]) + 1) : relative * expected[i] + 1e-37;
          ASSERT_NEAR(static_cast<double>(y[i]), expected[i], tolerance) << kernel.name << " at " << i;
        }
        if (first.empty()) first.assign(y.begin(), y.end());
        if (sizeof(void*) > 4) {  // ARMv7's vectors flush subnormal numbers
          EXPECT_EQ(std::memcmp(first.data(), y.data(), elements * sizeof(float)), 0) << kernel.name;
        }
        SoftmaxF32(kernel, s, log, x.data(), y.data(), Sequential());
        std::vector<float> in_place(x.begin(), x.end());
        SoftmaxF32(kernel, s, log, in_place.data(), in_place.data(), Sequential());
        EXPECT_EQ(std::memcmp(in_place.data(), y.data(), elements * sizeof(float)), 0) << kernel.name;
      }
    }
  }
}

TEST(SoftmaxF32, NaNAndInfinitySpread) {
  for (const SoftmaxF32Kernel& kernel : SoftmaxF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const float special : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      for (const size_t n : {size_t{3}, size_t{20}}) {
        std::vector<float> x(n, 1.0f), y(n);
        x[1] = special;
        kernel.rows(x.data(), y.data(), 1, n, false);
        EXPECT_TRUE(std::isnan(y[1])) << kernel.name << " n " << n << " " << special;
      }
    }
    const float x[] = {-std::numeric_limits<float>::infinity(), 0.0f};
    float y[2];
    kernel.rows(x, y, 1, 2, false);
    EXPECT_EQ(y[0], 0.0f);
    EXPECT_EQ(y[1], 1.0f);
  }
}

}  // namespace
}  // namespace micrort
