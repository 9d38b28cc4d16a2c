#include "kernels/elementwise/binary_fixed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort::testing::binary_fixed {
namespace {

using testing::GuardedBuffer;
using testing::Random;

// Of one element, by the definition of the scalar functions.
int8_t Expected(const BinaryFixedOp& op, int8_t a, int8_t b) {
  int32_t y = 0;
  if (op.kind == BinaryKind::kMul) {
    y = Multiply((a - op.a_zero) * (b - op.b_zero), op.by);
  } else {
    const int32_t first = Multiply((a - op.a_zero) * (1 << 20), op.a_by),
                  second = Multiply((b - op.b_zero) * (1 << 20), op.b_by);
    y = Multiply(op.kind == BinaryKind::kSub ? first - second : first + second, op.by);
  }
  return static_cast<int8_t>(std::clamp(y + op.y_zero, op.lo, op.hi));
}

void TestKernel(const BinaryFixedKernel& kernel, const BinaryFixedOp& op, size_t n, size_t a_stride,
                size_t b_stride) {
  Random random(static_cast<uint32_t>(n * 4 + a_stride * 2 + b_stride));
  GuardedBuffer<int8_t> a(a_stride == 0 ? 1 : n, 0, 1), b(b_stride == 0 ? 1 : n, 0, 3), y(n, 0, 1);
  random.Fill(a, -128, 127);
  random.Fill(b, -128, 127);
  kernel.run(op, a.data(), a_stride, b.data(), b_stride, y.data(), n);
  for (size_t i = 0; i < n; ++i) {
    ASSERT_EQ(y[i], Expected(op, a.data()[i * a_stride], b.data()[i * b_stride])) << i;
  }
  EXPECT_TRUE(y.GuardsIntact());
}

TEST(BinaryFixed, VariantsMatchScalarFunctions) {
  const QuantizationParams quantizations[][3] = {{{0.02f, 3}, {0.05f, -128}, {0.07f, 5}},
                                                 {{1.0f, 0}, {0.001f, 127}, {0.004f, -9}},
                                                 {{0.5f, -3}, {0.5f, 4}, {0.0101f, 0}}};
  for (const BinaryFixedKernel& kernel : BinaryFixedKernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const auto& q : quantizations) {
      for (const BinaryKind kind : {BinaryKind::kAdd, BinaryKind::kSub, BinaryKind::kMul}) {
        BinaryFixedOp op;
        ASSERT_TRUE(PlanBinaryFixed(kind, q[0], q[1], q[2], {-0.9f, 2.5f}, &op));
        for (size_t n = 0; n <= 40; ++n) {
          SCOPED_TRACE(::testing::Message()
                       << kernel.name << " kind " << static_cast<int>(kind) << " n " << n);
          TestKernel(kernel, op, n, 1, 1);
          TestKernel(kernel, op, n, 0, 1);
          TestKernel(kernel, op, n, 1, 0);
        }
      }
    }
  }
}

TEST(BinaryFixed, IsWithinOneStepOfRealNumbers) {
  const QuantizationParams a = {0.02f, 3}, b = {0.05f, -128}, y = {0.07f, 5};
  for (const BinaryKind kind : {BinaryKind::kAdd, BinaryKind::kSub, BinaryKind::kMul}) {
    BinaryFixedOp op;
    ASSERT_TRUE(PlanBinaryFixed(kind, a, b, y, {}, &op));
    for (int p = -128; p <= 127; p += 5) {
      for (int q = -128; q <= 127; q += 3) {
        const double real_a = 0.02 * (p - 3), real_b = 0.05 * (q + 128);
        const double real = kind == BinaryKind::kMul   ? real_a * real_b
                            : kind == BinaryKind::kSub ? real_a - real_b
                                                       : real_a + real_b;
        const double exact = std::clamp(real / 0.07 + 5, -128.0, 127.0);
        ASSERT_NEAR(Expected(op, static_cast<int8_t>(p), static_cast<int8_t>(q)), exact, 0.51);
      }
    }
  }
}

TEST(BinaryFixed, OtherKindsDoNotExist) {
  BinaryFixedOp op;
  EXPECT_FALSE(PlanBinaryFixed(BinaryKind::kDiv, {1, 0}, {1, 0}, {1, 0}, {}, &op));
}

}  // namespace
}  // namespace micrort::testing::binary_fixed
