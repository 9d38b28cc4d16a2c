// Functions of int8 in one go: the bits that dequantizing, computing in floats and quantizing give.

#include "kernels/elementwise/binary_s8.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/unary_f32.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort::testing::binary_s8 {
namespace {

std::vector<float> Real(const GuardedBuffer<int8_t>& q, const QuantizationParams& by) {
  std::vector<float> real(q.size());
  ConvertF32Kernels()[0].dequantize_s8(q.data(), real.data(), real.size(), by);
  return real;
}

std::vector<int8_t> Expected(const BinaryS8Op& op, const GuardedBuffer<int8_t>& a, size_t a_stride,
                             const GuardedBuffer<int8_t>& b, size_t b_stride, size_t n) {
  std::vector<float> values(n);
  BinaryF32Kernels()[0].run(op.kind, Real(a, op.a).data(), a_stride, Real(b, op.b).data(), b_stride,
                            values.data(), n);
  if (op.clamps) {
    SelectUnaryF32(UnaryKind::kClip, kCpuScalar)
        .run({UnaryKind::kClip, op.lo, op.hi}, values.data(), values.data(), n);
  }
  std::vector<int8_t> y(n);
  ConvertF32Kernels()[0].quantize_s8(values.data(), y.data(), n, op.y);
  return y;
}

void TestKernel(const BinaryS8Kernel& kernel, const BinaryS8Op& op, size_t n, size_t a_stride,
                size_t b_stride) {
  Random random(static_cast<uint32_t>(n * 4 + a_stride * 2 + b_stride));
  GuardedBuffer<int8_t> a(a_stride == 0 ? 1 : n, 0, 1), b(b_stride == 0 ? 1 : n, 0, 3), y(n, 0, 1);
  random.Fill(a, -128, 127);
  random.Fill(b, -128, 127);
  kernel.run(op, a.data(), a_stride, b.data(), b_stride, y.data(), n);
  EXPECT_EQ(std::vector<int8_t>(y.begin(), y.end()),
            n == 0 ? std::vector<int8_t>() : Expected(op, a, a_stride, b, b_stride, n));
  EXPECT_TRUE(y.GuardsIntact());
}

TEST(BinaryS8, VariantsGiveTheBitsOfFloats) {
  constexpr float kHuge = 3e38f;
  const QuantizationParams quantizations[][3] = {{{0.02f, 3}, {0.05f, -128}, {0.07f, 5}},
                                                 {{1.0f, 0}, {0.001f, 127}, {0.004f, -9}},
                                                 {{0.5f, -3}, {0.5f, 4}, {0.0101f, 0}},
                                                 {{0.25f, 0}, {0.25f, 0}, {0.5f, 0}},     // halves
                                                 {{kHuge, 1}, {kHuge, -1}, {1e-3f, 0}}};  // what is no number
  for (const BinaryS8Kernel& kernel : BinaryS8Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (const auto& q : quantizations) {
      for (const BinaryKind kind : {BinaryKind::kAdd, BinaryKind::kSub, BinaryKind::kMul}) {
        for (const bool clamps : {false, true}) {
          const BinaryS8Op op = {kind, q[0], q[1], q[2], clamps, -0.9f, 2.5f};
          for (size_t n = 0; n <= 40; ++n) {
            SCOPED_TRACE(::testing::Message()
                         << kernel.name << " kind " << static_cast<int>(kind) << " n " << n);
            TestKernel(kernel, op, n, 1, 1);
            TestKernel(kernel, op, n, n == 0 ? 1 : 0, 1);
            TestKernel(kernel, op, n, 1, n == 0 ? 1 : 0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace micrort::testing::binary_s8
