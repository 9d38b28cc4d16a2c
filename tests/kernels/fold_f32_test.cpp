#include "kernels/reduce/fold_f32.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/reduce/plain_fold.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;

const FoldKind kKinds[] = {FoldKind::kSum, FoldKind::kSumAbs, FoldKind::kSumSquare, FoldKind::kSumExp,
                           FoldKind::kMax, FoldKind::kMin,    FoldKind::kProd};

// What every row must give for one lane or column: exactly, except kSumExp, whose exponential is approximate.
float Expected(FoldKind kind, const std::vector<float>& x, float shift) {
  float acc = FoldIdentity<float>(kind);
  PlainFoldColumns(kind, &shift, x.data(), x.size(), 1, 1, &acc);
  return acc;
}

void ExpectClose(FoldKind kind, float actual, float expected) {
  if (kind == FoldKind::kSumExp) {
    ASSERT_NEAR(actual, expected, 2e-6f * expected);
  } else {
    ASSERT_EQ(actual, expected);
  }
}

template <typename Test>
void ForEachKernel(Test test) {
  for (const FoldF32Kernel& kernel : FoldF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const FoldKind kind : kKinds) {
      SCOPED_TRACE(::testing::Message() << kernel.name << " kind " << static_cast<int>(kind));
      test(kernel, kind);
    }
  }
}

TEST(FoldF32, RunsFillLanesInTurn) {
  ForEachKernel([](const FoldF32Kernel& kernel, FoldKind kind) {
    for (size_t n = 0; n <= 40; ++n) {
      Random random(static_cast<uint32_t>(n + 1));
      GuardedBuffer<float> x(n, 0, 1);
      random.Fill(x, -2, 2);
      GuardedBuffer<float> lanes(8, FoldIdentity<float>(kind), 3);
      kernel.run(kind, 0.5f, x.data(), n, lanes.data());
      EXPECT_TRUE(lanes.GuardsIntact());
      for (size_t lane = 0; lane < 8; ++lane) {
        std::vector<float> own;
        for (size_t i = lane; i < n; i += 8) own.push_back(x[i]);
        ExpectClose(kind, lanes[lane], Expected(kind, own, 0.5f));
      }
    }
  });
}

TEST(FoldF32, ColumnsFoldRowAfterRow) {
  ForEachKernel([](const FoldF32Kernel& kernel, FoldKind kind) {
    for (const size_t columns : {1, 3, 7, 8, 9, 16, 31, 32, 33, 72, 75}) {
      for (const size_t rows : {0, 1, 2, 5}) {
        Random random(static_cast<uint32_t>(columns * 10 + rows));
        const size_t stride = columns + 2;
        GuardedBuffer<float> x(rows * stride, 0, 1), shift(columns, 0, 1);
        random.Fill(x, -2, 2);
        random.Fill(shift, -1, 1);
        GuardedBuffer<float> acc(columns, FoldIdentity<float>(kind), 3);
        kernel.columns(kind, kind == FoldKind::kSumExp ? shift.data() : nullptr, x.data(), rows, stride,
                       columns, acc.data());
        EXPECT_TRUE(acc.GuardsIntact());
        for (size_t c = 0; c < columns; ++c) {
          std::vector<float> own;
          for (size_t r = 0; r < rows; ++r) own.push_back(x[r * stride + c]);
          ExpectClose(kind, acc[c], Expected(kind, own, shift[c]));
        }
      }
    }
  });
}

TEST(FoldF32, ExtremesKeepNaN) {
  for (const FoldF32Kernel& kernel : FoldF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const FoldKind kind : {FoldKind::kMax, FoldKind::kMin}) {
      std::vector<float> x(20, 1.0f);
      x[3] = std::nanf("");
      float lanes[8];
      std::fill(lanes, lanes + 8, FoldIdentity<float>(kind));
      kernel.run(kind, 0, x.data(), x.size(), lanes);
      EXPECT_TRUE(std::isnan(lanes[3])) << kernel.name;
      EXPECT_EQ(lanes[4], 1.0f) << kernel.name;
    }
  }
}

}  // namespace
}  // namespace micrort
