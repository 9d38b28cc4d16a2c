#include "kernels/elementwise/binary_f32.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/base/target.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;

float Expected(BinaryKind kind, float a, float b) {
  switch (kind) {
    case BinaryKind::kAdd:
      return a + b;
    case BinaryKind::kSub:
      return a - b;
    case BinaryKind::kMul:
      return a * b;
    case BinaryKind::kDiv:
      return a / b;
    case BinaryKind::kMax:
      return std::isnan(a) || std::isnan(b) ? std::nanf("") : std::fmax(a, b);
    case BinaryKind::kMin:
      return std::isnan(a) || std::isnan(b) ? std::nanf("") : std::fmin(a, b);
    case BinaryKind::kPRelu:
      return a < 0 ? a * b : a;
    case BinaryKind::kEqual:
      return a == b;
    case BinaryKind::kLess:
      return a < b;
    case BinaryKind::kLessOrEqual:
      return a <= b;
    case BinaryKind::kGreater:
      return a > b;
    default:
      return a >= b;
  }
}

bool Same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void FillWithSpecials(Random& random, GuardedBuffer<float>& x) {
  random.Fill(x, -4, 4);
  const float kSpecial[] = {0.0f, -0.0f, std::nanf(""), std::numeric_limits<float>::infinity(), 1.0f};
  for (size_t i = 0; i < x.size(); i += 4) x[i] = kSpecial[random.Integer(0, 4)];
}

void TestKernel(const BinaryF32Kernel& kernel, BinaryKind kind, size_t n, size_t a_stride, size_t b_stride) {
  Random random(static_cast<uint32_t>(n * 4 + a_stride * 2 + b_stride));
  GuardedBuffer<float> a(a_stride == 0 ? 1 : n, 0, 1), b(b_stride == 0 ? 1 : n, 0, 3), y(n, 0, 1);
  GuardedBuffer<uint8_t> bools(n, 0, 1);
  FillWithSpecials(random, a);
  FillWithSpecials(random, b);
  void* out = IsComparison(kind) ? static_cast<void*>(bools.data()) : y.data();
  kernel.run(kind, a.data(), a_stride, b.data(), b_stride, out, n);
  for (size_t i = 0; i < n; ++i) {
    const float actual = IsComparison(kind) ? static_cast<float>(bools[i]) : y[i];
    const float p = a.data()[i * a_stride], q = b.data()[i * b_stride];
    ASSERT_TRUE(Same(actual, Expected(kind, p, q))) << "(" << p << ", " << q << ") = " << actual;
  }
  EXPECT_TRUE(y.GuardsIntact());
  EXPECT_TRUE(bools.GuardsIntact());
}

TEST(BinaryF32, RowsMatchPlainArithmetic) {
  for (const BinaryF32Kernel& kernel : BinaryF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (int k = 0; k < kBinaryKindCount; ++k) {
      const auto kind = static_cast<BinaryKind>(k);
      if (!HasVectorBinaryF32(kind)) continue;
      for (size_t n = 0; n <= 40; ++n) {
        SCOPED_TRACE(::testing::Message() << kernel.name << " kind " << k << " n " << n);
        TestKernel(kernel, kind, n, 1, 1);
        if (n > 0) TestKernel(kernel, kind, n, 0, 1);
        if (n > 0) TestKernel(kernel, kind, n, 1, 0);
      }
    }
  }
}

// NaNs on CPUs of 32 bits are all one: NEON makes them its own there.
uint32_t BitsOf(float x) {
  if (std::isnan(x) && (AvailableFeatures(0) & kCpu32Bit) != 0) x = std::nanf("");
  uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

std::vector<uint32_t> Bits(const BinaryF32Kernel& kernel, BinaryKind kind, const std::vector<float>& a,
                           const std::vector<float>& b) {
  std::vector<float> y(a.size());
  kernel.run(kind, a.data(), 1, b.data(), 1, y.data(), a.size());
  std::vector<uint32_t> bits(y.size());
  std::transform(y.begin(), y.end(), bits.begin(), BitsOf);
  return bits;
}

// Zeros of both signs and NaNs with payloads, each beside each; one NaN a pair, as compilers may exchange the
// operands of a sum.
TEST(BinaryF32, RowsGiveTheSameBits) {
  const float values[] = {
      0.0f, -0.0f, std::nanf("1234"), -std::nanf("77"), std::numeric_limits<float>::infinity(), -1.5f, 3.0f};
  std::vector<float> a, b;
  for (const float p : values) {
    for (const float q : values) {
      if (std::isnan(p) && std::isnan(q)) continue;
      a.push_back(p);
      b.push_back(q);
    }
  }
  for (const BinaryF32Kernel& kernel : BinaryF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (int k = 0; k < kBinaryKindCount; ++k) {
      const auto kind = static_cast<BinaryKind>(k);
      if (!HasVectorBinaryF32(kind) || IsComparison(kind)) continue;
      EXPECT_EQ(Bits(kernel, kind, a, b), Bits(BinaryF32Kernels()[0], kind, a, b))
          << kernel.name << " kind " << k;
    }
  }
}

}  // namespace
}  // namespace micrort
