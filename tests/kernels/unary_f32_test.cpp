#include "kernels/elementwise/unary_f32.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernels/base/half.h"
#include "kernels/reference/unary.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/infinity.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;

// Every kind that floats have, with parameters, and the error allowed in units in the last place of the
// result. `absolute` is the error allowed where a function loses relative precision by its definition.
struct UnaryCase {
  UnaryOp op;
  double ulps;
  double absolute;
};
const UnaryCase kCases[] = {
    {{UnaryKind::kIdentity, 0, 0}, 0, 0},
    {{UnaryKind::kClip, -1.5f, 2.25f}, 0, 0},
    {{UnaryKind::kLeakyRelu, 0.125f, 0}, 0.5, 0},
    {{UnaryKind::kSigmoid, 0, 0}, 3, 0},
    {{UnaryKind::kTanh, 0, 0}, 3, 0},
    {{UnaryKind::kHardSigmoid, 0.2f, 0.5f}, 1.5, 1e-7},
    {{UnaryKind::kHardSwish, 0, 0}, 2, 2e-7},
    {{UnaryKind::kSilu, 0, 0}, 3.5, 1e-36},
    {{UnaryKind::kAbs, 0, 0}, 0, 0},
    {{UnaryKind::kNeg, 0, 0}, 0, 0},
    {{UnaryKind::kExp, 0, 0}, 1.5, 0},
    {{UnaryKind::kLog, 0, 0}, 1, 0},
    {{UnaryKind::kSqrt, 0, 0}, 0.51, 0},
    {{UnaryKind::kReciprocal, 0, 0}, 0.51, 0},
    {{UnaryKind::kFloor, 0, 0}, 0, 0},
    {{UnaryKind::kCeil, 0, 0}, 0, 0},
    {{UnaryKind::kRound, 0, 0}, 0, 0},
    {{UnaryKind::kSign, 0, 0}, 0, 0},
    {{UnaryKind::kErf, 0, 0}, 2, 0},
    {{UnaryKind::kElu, 1.5f, 0}, 3, 0},
    {{UnaryKind::kSelu, 1.6732632f, 1.050701f}, 3.5, 0},
    {{UnaryKind::kSoftplus, 0, 0}, 3, 0},
    {{UnaryKind::kSoftsign, 0, 0}, 1.5, 0},
    {{UnaryKind::kSin, 0, 0}, 0.51, 0},
    {{UnaryKind::kCos, 0, 0}, 0.51, 0},
    {{UnaryKind::kTan, 0, 0}, 0.51, 0},
    {{UnaryKind::kAsin, 0, 0}, 0.51, 0},
    {{UnaryKind::kAcos, 0, 0}, 0.51, 0},
    {{UnaryKind::kAtan, 0, 0}, 0.51, 0},
    {{UnaryKind::kSinh, 0, 0}, 0.51, 0},
    {{UnaryKind::kCosh, 0, 0}, 0.51, 0},
    {{UnaryKind::kAsinh, 0, 0}, 0.51, 0},
    {{UnaryKind::kAcosh, 0, 0}, 0.51, 0},
    {{UnaryKind::kAtanh, 0, 0}, 0.51, 0},
    {{UnaryKind::kThresholdedRelu, 0.75f, 0}, 0, 0},
    {{UnaryKind::kCelu, 2.0f, 0}, 3, 0},
    {{UnaryKind::kShrink, 0.25f, 0.5f}, 0.51, 0},
    {{UnaryKind::kGelu, 0, 0}, 4, 4e-7},
    {{UnaryKind::kGeluTanh, 0, 0}, 4, 4e-7},
    {{UnaryKind::kMish, 0, 0}, 4, 1e-36},
};

std::string Describe(const UnaryCase& c) { return "kind " + std::to_string(static_cast<int>(c.op.kind)); }

// Bits of every order of magnitude, both signs; zeros, infinities and NaN among them.
std::vector<float> Sweep(uint32_t step) {
  std::vector<float> x;
  for (uint64_t bits = 0; bits <= 0xffffffffu; bits += step)
    x.push_back(BitsToFloat(static_cast<uint32_t>(bits)));
  for (float special :
       {0.0f, -0.0f, 1.0f, -1.0f, kInfinity, -kInfinity, std::nanf(""), 0x1p-149f, 88.72f, 88.73f}) {
    x.push_back(special);
  }
  return x;
}

// Distance between a result and the exact value, in floats of the exact value's magnitude.
double ErrorInUlps(float result, double exact) {
  const float rounded = static_cast<float>(exact);
  if (std::isinf(rounded)) return result == rounded ? 0 : 1e9;
  int exponent;
  std::frexp(static_cast<double>(rounded), &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::fabs(static_cast<double>(result) - exact) / ulp;
}

// ARMv7's vectors flush subnormal numbers, intermediate ones too, to zero.
bool MayFlush(float x) { return std::fabs(x) < 1e-30f && sizeof(void*) == 4; }

TEST(UnaryF32, ScalarIsAccurate) {
  const std::vector<float> x = Sweep(7919 * 16);
  std::vector<float> y(x.size());
  for (const UnaryCase& c : kCases) {
    SelectUnaryF32(c.op.kind, kCpuScalar).run(c.op, x.data(), y.data(), x.size());
    double worst = 0;
    float worst_at = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = reference::Unary(c.op, static_cast<double>(x[i]));
      const bool limit_of_product = std::isinf(x[i]) && (std::isnan(y[i]) || y[i] == 0);  // infinity * 0
      if (limit_of_product && (std::isnan(exact) || exact == 0)) continue;
      if (std::isnan(exact) || std::isnan(y[i])) {
        ASSERT_EQ(std::isnan(exact), std::isnan(y[i])) << Describe(c) << " at " << x[i];
        continue;
      }
      if (std::fabs(static_cast<double>(y[i]) - exact) <= c.absolute) continue;
      const double error = ErrorInUlps(y[i], exact);
      if (error > worst) {
        worst = error;
        worst_at = x[i];
      }
    }
    EXPECT_LE(worst, c.ulps) << Describe(c) << " at " << worst_at;
    RecordProperty(Describe(c), std::to_string(worst));
  }
}

TEST(UnaryF32, RowsGiveTheBitsOfScalar) {
  const std::vector<float> x = Sweep(7919 * 64);
  std::vector<float> expected(x.size()), y(x.size());
  for (const UnaryF32Kernel& kernel : UnaryF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const UnaryCase& c : kCases) {
      if (!HasVectorUnaryF32(c.op.kind)) continue;
      UnaryF32Kernels()[0].run(c.op, x.data(), expected.data(), x.size());
      kernel.run(c.op, x.data(), y.data(), x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        if (MayFlush(x[i]) || MayFlush(expected[i])) continue;
        const bool same = std::memcmp(&y[i], &expected[i], sizeof(float)) == 0;
        ASSERT_TRUE(same || (std::isnan(y[i]) && std::isnan(expected[i])))
            << kernel.name << " " << Describe(c) << " at " << x[i] << ": " << y[i] << ", expected "
            << expected[i];
      }
    }
  }
}

TEST(UnaryF32, TailsStayInside) {
  for (const UnaryF32Kernel& kernel : UnaryF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (size_t n = 0; n <= 40; ++n) {
      GuardedBuffer<float> x(n, 0.5f, 1), y(n, 0.0f, 3);
      kernel.run({UnaryKind::kNeg, 0, 0}, x.data(), y.data(), n);
      for (size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], -0.5f) << kernel.name << " n " << n;
      kernel.run({UnaryKind::kNeg, 0, 0}, y.data(), y.data(), n);
      for (size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], 0.5f) << kernel.name << " in place, n " << n;
      EXPECT_TRUE(y.GuardsIntact()) << kernel.name << " n " << n;
    }
  }
}

TEST(UnaryF32, LimitsAreRight) {
  struct Limit {
    UnaryKind kind;
    float x, y;
  };
  const Limit kLimits[] = {
      {UnaryKind::kExp, kInfinity, kInfinity},       {UnaryKind::kExp, -kInfinity, 0.0f},
      {UnaryKind::kLog, kInfinity, kInfinity},       {UnaryKind::kLog, 0.0f, -kInfinity},
      {UnaryKind::kLog, -0.0f, -kInfinity},          {UnaryKind::kTanh, kInfinity, 1.0f},
      {UnaryKind::kTanh, -kInfinity, -1.0f},         {UnaryKind::kSigmoid, kInfinity, 1.0f},
      {UnaryKind::kSigmoid, -kInfinity, 0.0f},       {UnaryKind::kErf, kInfinity, 1.0f},
      {UnaryKind::kErf, -kInfinity, -1.0f},          {UnaryKind::kSoftplus, kInfinity, kInfinity},
      {UnaryKind::kSoftplus, -kInfinity, 0.0f},      {UnaryKind::kSilu, kInfinity, kInfinity},
      {UnaryKind::kMish, kInfinity, kInfinity},      {UnaryKind::kGelu, kInfinity, kInfinity},
      {UnaryKind::kReciprocal, 0.0f, kInfinity},     {UnaryKind::kReciprocal, -0.0f, -kInfinity},
      {UnaryKind::kHardSwish, kInfinity, kInfinity},
  };
  for (const UnaryF32Kernel& kernel : UnaryF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const Limit& limit : kLimits) {
      float y = 0;
      kernel.run({limit.kind, 0, 0}, &limit.x, &y, 1);
      EXPECT_EQ(y, limit.y) << kernel.name << " kind " << static_cast<int>(limit.kind) << " at " << limit.x;
    }
    const float minus_one = -1;
    float y = 0;
    kernel.run({UnaryKind::kLog, 0, 0}, &minus_one, &y, 1);
    EXPECT_TRUE(std::isnan(y)) << kernel.name;
  }
}

}  // namespace
}  // namespace micrort
