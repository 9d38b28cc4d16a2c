// Element-wise functions and softmax of int16 against TensorFlow Lite's arithmetic.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "kernels/elementwise/binary_s16.h"
#include "kernels/elementwise/sigmoid_table.h"
#include "kernels/elementwise/softmax_s16.h"
#include "kernels/elementwise/softmax_tables.h"
#include "kernels/elementwise/unary_s16.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/int16_model.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort::testing::elementwise_s16 {
namespace {

ElementFormat Format(float scale, int32_t zero_point = 0, DType dtype = DType::kInt16) {
  return {dtype, true, {scale, zero_point}};
}

// All that are near the ends and near zero, and a step between.
std::vector<int16_t> Samples() {
  std::vector<int16_t> samples;
  for (int x = INT16_MIN; x <= INT16_MAX; x += (x > -40 && x < 40) || x < -32760 || x > 32740 ? 1 : 13)
    samples.push_back(static_cast<int16_t>(x));
  samples.push_back(INT16_MAX);
  return samples;
}

// Calls `test(kernel)` for those that run here.
template <typename Row, typename Test>
void ForEachKernel(Span<const Row> kernels, Test test) {
  for (const Row& kernel : kernels) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    SCOPED_TRACE(kernel.name);
    test(kernel);
  }
}

// As the portable one computes them, for every number of elements at the end of a row.
void CheckEnds(const BinaryS16Kernel& kernel, const BinaryFixedOp& op, const int16_t* a, const void* b) {
  for (size_t n = 0; n <= 20; ++n) {
    std::vector<int16_t> expected(20);
    GuardedBuffer<int16_t> y(n);
    BinaryS16_scalar(op, a, 1, b, 1, expected.data(), n);
    kernel.run(op, a, 1, b, 1, y.data(), n);
    EXPECT_TRUE(std::equal(y.begin(), y.end(), expected.begin())) << n;
    EXPECT_TRUE(y.GuardsIntact()) << n;
  }
}

void CheckBinary(BinaryKind kind, const float (&scales)[3], const Clamp& clamp, int16_model::Range range) {
  Random random(7);
  constexpr size_t kCount = 4001;
  GuardedBuffer<int16_t> a(kCount), b(kCount), y(kCount);
  random.Fill(a, INT16_MIN, INT16_MAX);
  random.Fill(b, INT16_MIN, INT16_MAX);
  a.data()[0] = b.data()[0] = INT16_MIN, a.data()[1] = INT16_MAX, b.data()[1] = INT16_MIN;
  BinaryFixedOp op;
  ASSERT_TRUE(PlanBinaryS16(kind, {scales[0], 0}, {scales[1], 0}, {scales[2], 0}, clamp, &op));
  const auto expected = [&](int16_t p, int16_t q) {
    const double s[] = {double{scales[0]}, double{scales[1]}, double{scales[2]}};
    if (kind == BinaryKind::kMul) return int16_model::Product(p, q, s[0], s[1], s[2], range);
    return int16_model::Sum(p, q, kind == BinaryKind::kSub ? -1 : 1, s[0], s[1], s[2], range);
  };
  ForEachKernel(BinaryS16Kernels(), [&](const BinaryS16Kernel& kernel) {
    for (const auto& [a_stride, b_stride] : {std::pair{1, 1}, std::pair{0, 1}, std::pair{1, 0}}) {
      kernel.run(op, a.data(), static_cast<size_t>(a_stride), b.data(), static_cast<size_t>(b_stride),
                 y.data(), kCount);
      for (size_t i = 0; i < kCount; ++i) {
        const int16_t p = a.data()[a_stride == 0 ? 0 : i], q = b.data()[b_stride == 0 ? 0 : i];
        ASSERT_EQ(y.data()[i], expected(p, q)) << p << " and " << q << ", kind " << static_cast<int>(kind);
      }
    }
    EXPECT_TRUE(y.GuardsIntact());
    CheckEnds(kernel, op, a.data(), b.data());
  });
}

TEST(BinaryS16, IsTensorFlowLites) {
  const float scales[][3] = {
      {0.02f, 0.05f, 0.07f}, {1.0f, 0.001f, 0.004f}, {0.5f, 0.5f, 0.25f}, {1e-4f, 2e-4f, 3e-5f}};
  for (const auto& s : scales) {
    for (const BinaryKind kind : {BinaryKind::kAdd, BinaryKind::kSub, BinaryKind::kMul}) {
      CheckBinary(kind, s, {}, {});
      const auto bound = [&](float x) { return std::lround(x / s[2]); };
      const int16_model::Range range = {std::max<int64_t>(bound(-0.9f), INT16_MIN),
                                        std::min<int64_t>(bound(2.5f), INT16_MAX)};
      CheckBinary(kind, s, {-0.9f, 2.5f}, range);
    }
  }
}

TEST(BinaryS16, SlopesAreInt8) {
  constexpr size_t kCount = 3000;
  for (const auto& [x_scale, slope_scale, y_scale] :
       {std::array{0.01f, 0.005f, 0.007f}, {1.0f, 0.03f, 0.001f}, {0.002f, 0.01f, 0.5f}}) {
    Random random(11);
    GuardedBuffer<int16_t> x(kCount), y(kCount);
    GuardedBuffer<int8_t> slopes(kCount);
    random.Fill(x, INT16_MIN, INT16_MAX);
    random.Fill(slopes, INT8_MIN, INT8_MAX);
    x.data()[0] = INT16_MIN, slopes.data()[0] = INT8_MAX;
    BinaryFixedOp op;
    ASSERT_TRUE(PlanBinaryS16(BinaryKind::kPRelu, {x_scale, 0}, {slope_scale, -7}, {y_scale, 0}, {}, &op));
    const double scales[] = {double{x_scale}, double{slope_scale}, double{y_scale}};
    ForEachKernel(BinaryS16Kernels(), [&](const BinaryS16Kernel& kernel) {
      for (const size_t slope_stride : {size_t{0}, size_t{1}}) {
        kernel.run(op, x.data(), 1, slopes.data(), slope_stride, y.data(), kCount);
        for (size_t i = 0; i < kCount; ++i) {
          ASSERT_EQ(y.data()[i], int16_model::PRelu(x.data()[i], slopes.data()[i * slope_stride], -7,
                                                    scales[0], scales[1], scales[2]))
              << x.data()[i];
        }
      }
      EXPECT_TRUE(y.GuardsIntact());
      CheckEnds(kernel, op, x.data(), slopes.data());
    });
  }
}

TEST(BinaryS16, ComparesWithEightBitsBehindThePoint) {
  constexpr size_t kCount = 3000;
  Random random(12);
  GuardedBuffer<int16_t> a(kCount), b(kCount);
  GuardedBuffer<uint8_t> y(kCount);
  random.Fill(a, -300, 300);
  random.Fill(b, -300, 300);
  BinaryFixedOp op;
  ASSERT_TRUE(PlanBinaryS16(BinaryKind::kGreater, {0.004f, 0}, {0.0031f, 0}, {}, {}, &op));
  ForEachKernel(BinaryS16Kernels(), [&](const BinaryS16Kernel& kernel) {
    kernel.run(op, a.data(), 1, b.data(), 1, y.data(), kCount);
    for (size_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(y.data()[i],
                int16_model::IsGreater(a.data()[i], b.data()[i], double{0.004f}, double{0.0031f}) ? 1 : 0)
          << a.data()[i] << " and " << b.data()[i];
    }
    EXPECT_TRUE(y.GuardsIntact());
  });
  EXPECT_FALSE(PlanBinaryS16(BinaryKind::kGreater, {1, 0}, {0.5f, 0}, {}, {}, &op));
  EXPECT_FALSE(PlanBinaryS16(BinaryKind::kLess, {0.5f, 0}, {0.5f, 0}, {}, {}, &op));
}

TEST(BinaryS16, HasNoOtherForms) {
  BinaryFixedOp op;
  const QuantizationParams q = {1, 0}, shifted = {1, 3};
  EXPECT_FALSE(PlanBinaryS16(BinaryKind::kDiv, q, q, q, {}, &op));
  EXPECT_FALSE(PlanBinaryS16(BinaryKind::kAdd, shifted, q, q, {}, &op));
  EXPECT_FALSE(PlanBinaryS16(BinaryKind::kAdd, q, shifted, q, {}, &op));
  EXPECT_FALSE(PlanBinaryS16(BinaryKind::kAdd, q, q, shifted, {}, &op));
  ASSERT_TRUE(PlanBinaryS16(BinaryKind::kAdd, q, q, q, {5, 2}, &op));
  const int16_t a = 9;
  int16_t y = 0;
  ForEachKernel(BinaryS16Kernels(), [&](const BinaryS16Kernel& kernel) {
    kernel.run(op, &a, 1, &a, 1, &y, 1);
    EXPECT_EQ(y, 5);
  });
}

TEST(UnaryS16, TablesAreTheirDefinitions) {
  for (size_t i = 0; i < kSigmoidEntries; ++i) {
    ASSERT_EQ(kSigmoidTable[i], int16_model::SigmoidTable()[i]) << i;
  }
  for (size_t i = 0; i < kSoftmaxEntries; ++i) {
    ASSERT_EQ(kExpTable[i], int16_model::ExpTable()[i]) << i;
    ASSERT_EQ(kReciprocalTable[i], int16_model::ReciprocalTable()[i]) << i;
  }
}

// Calls `test(kernel)` for all that have the operation and run here.
template <typename Test>
void ForEachUnary(const UnaryS16Op& op, Test test) {
  ForEachKernel(UnaryS16Kernels(), [&](const UnaryS16Kernel& kernel) {
    if (SelectUnaryS16(op, kernel.features).id == kernel.id) test(kernel);
  });
}

template <typename Expected>
void CheckUnary(const UnaryOp& function, float x_scale, float y_scale, Expected expected) {
  UnaryS16Op op;
  ASSERT_TRUE(PlanUnaryS16(function, Format(x_scale), Format(y_scale), &op));
  ForEachUnary(op, [&](const UnaryS16Kernel& kernel) {
    std::vector<int16_t> x = Samples();
    GuardedBuffer<int16_t> y(x.size());
    kernel.run(op, x.data(), y.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(y.data()[i], expected(x[i])) << x[i] << " of scale " << x_scale;
    EXPECT_TRUE(y.GuardsIntact());
    for (size_t n = 0; n <= 20; ++n) {
      GuardedBuffer<int16_t> few(n);
      kernel.run(op, x.data(), few.data(), n);
      EXPECT_TRUE(std::equal(few.begin(), few.end(), y.begin())) << n;
      EXPECT_TRUE(few.GuardsIntact()) << n;
    }
    kernel.run(op, x.data(), x.data(), x.size());
    EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin()));
  });
}

TEST(UnaryS16, SigmoidAndTanhAreTensorFlowLites) {
  for (const float scale :
       {1.0f / 4096, 1.0f / 2048, 1.0f / 8192, 1.0f / 4097, 0.00031f, 0.0021f, 1.3f, 1e-6f, 1e-30f}) {
    const auto real = static_cast<double>(scale);
    CheckUnary({UnaryKind::kSigmoid}, scale, kTableS16Scale,
               [&](int16_t x) { return int16_model::Sigmoid(x, real); });
    CheckUnary({UnaryKind::kTanh}, scale, kTableS16Scale,
               [&](int16_t x) { return int16_model::Tanh(x, real); });
  }
}

TEST(UnaryS16, IsNearTheFunctions) {
  UnaryS16Op sigmoid, tanh;
  ASSERT_TRUE(PlanUnaryS16({UnaryKind::kSigmoid}, Format(0.0003f), Format(kTableS16Scale), &sigmoid));
  ASSERT_TRUE(PlanUnaryS16({UnaryKind::kTanh}, Format(0.0003f), Format(kTableS16Scale), &tanh));
  for (const int16_t x : Samples()) {
    int16_t y = 0;
    UnaryS16_scalar(sigmoid, &x, &y, 1);
    ASSERT_NEAR(y, 32768 / (1 + std::exp(-0.0003 * x)), 2.5);
    UnaryS16_scalar(tanh, &x, &y, 1);
    ASSERT_NEAR(y, 32768 * std::tanh(0.0003 * x), 5);
  }
}

TEST(UnaryS16, ScaledFunctionsAreTensorFlowLites) {
  for (const auto& [x_scale, y_scale] :
       {std::pair{0.01f, 0.01f}, std::pair{0.01f, 0.03f}, std::pair{0.5f, 0.02f}}) {
    const double ratio = static_cast<double>(x_scale) / static_cast<double>(y_scale);
    const int16_model::Range all, positive = {0, INT16_MAX},
                                  six = {0, std::min<int64_t>(std::lround(6.0f / y_scale), INT16_MAX)};
    const auto scaled = [&, r = ratio](int64_t x) { return int16_model::MultiplyNarrow(x, r); };
    CheckUnary({UnaryKind::kIdentity}, x_scale, y_scale, [&](int16_t x) { return all.Clamp(scaled(x)); });
    CheckUnary({UnaryKind::kAbs}, x_scale, y_scale,
               [&](int16_t x) { return all.Clamp(scaled(std::abs(x))); });
    CheckUnary({UnaryKind::kClip, 0, INFINITY}, x_scale, y_scale,
               [&](int16_t x) { return positive.Clamp(scaled(x)); });
    CheckUnary({UnaryKind::kClip, 0, 6}, x_scale, y_scale, [&](int16_t x) { return six.Clamp(scaled(x)); });
    for (const float slope : {0.1f, -0.3f, 0.0f, 2.0f}) {
      const auto float_ratio = static_cast<double>(x_scale / y_scale);
      const auto negative = static_cast<double>(x_scale * slope / y_scale);
      CheckUnary({UnaryKind::kLeakyRelu, slope}, x_scale, y_scale, [&](int16_t x) {
        if (x >= 0) return all.Clamp(int16_model::MultiplyNarrow(x, float_ratio));
        // A negative slope has a negative multiplier.
        return all.Clamp(negative < 0 ? int16_model::MultiplyNarrow(-int64_t{x}, -negative)
                                      : int16_model::MultiplyNarrow(x, negative));
      });
    }
  }
}

template <typename X, typename Y>
void CheckIdentity(const QuantizationParams& x_q, const QuantizationParams& y_q, const std::vector<X>& x) {
  UnaryS16Op op;
  ASSERT_TRUE(PlanUnaryS16({}, {kDTypeOf<X>, true, x_q}, {kDTypeOf<Y>, true, y_q}, &op));
  const double ratio = static_cast<double>(x_q.scale) / static_cast<double>(y_q.scale);
  using Limits = std::numeric_limits<Y>;
  const auto expected = [&](X from) {
    const int64_t value = int16_model::MultiplyNarrow(int64_t{from} - x_q.zero_point, ratio) + y_q.zero_point;
    return std::max<int64_t>(Limits::min(), std::min<int64_t>(Limits::max(), value));
  };
  ForEachUnary(op, [&](const UnaryS16Kernel& kernel) {
    GuardedBuffer<Y> y(x.size());
    kernel.run(op, x.data(), y.data(), x.size());
    for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y.data()[i], expected(x[i])) << +x[i];
    EXPECT_TRUE(y.GuardsIntact());
  });
}

TEST(UnaryS16, ConvertsBetweenIntegers) {
  std::vector<int8_t> bytes;
  for (int x = -128; x < 128; ++x) bytes.push_back(static_cast<int8_t>(x));
  CheckIdentity<int16_t, int8_t>({0.01f, 0}, {0.5f, -7}, Samples());
  CheckIdentity<int16_t, int32_t>({0.5f, 0}, {0.01f, 0}, Samples());
  CheckIdentity<int16_t, int16_t>({0.5f, -9}, {0.7f, 11}, Samples());
  CheckIdentity<int16_t, int16_t>({900.0f, 0}, {0.01f, -3}, Samples());
  CheckIdentity<int8_t, int16_t>({0.5f, 5}, {0.001f, 0}, bytes);
  CheckIdentity<int32_t, int16_t>({1e-5f, 4}, {0.01f, 0}, {INT32_MAX, -1000000, 0, 5, 1234567});
  CheckIdentity<int32_t, int8_t>({1e-5f, 4}, {0.01f, -3}, {-1000000, 0, 5, 1234567, 70000});
  CheckIdentity<int8_t, int32_t>({0.5f, 5}, {0.001f, 7}, bytes);
  CheckIdentity<int32_t, int32_t>({1e-5f, 4}, {1e-4f, -9}, {-1000000, 0, 5, 1234567, 70000});
}

TEST(UnaryS16, HasNoOtherForms) {
  UnaryS16Op op;
  const ElementFormat x = Format(0.01f), table = Format(kTableS16Scale),
                      byte = Format(0.01f, 0, DType::kInt8);
  EXPECT_FALSE(PlanUnaryS16({UnaryKind::kExp}, x, x, &op));
  EXPECT_FALSE(PlanUnaryS16({UnaryKind::kSigmoid}, x, x, &op));
  EXPECT_FALSE(PlanUnaryS16({UnaryKind::kSigmoid}, Format(2.7f), table, &op));
  EXPECT_FALSE(PlanUnaryS16({UnaryKind::kTanh}, Format(0.01f, 1), table, &op));
  EXPECT_FALSE(PlanUnaryS16({UnaryKind::kAbs}, x, Format(0.01f, 1), &op));
  EXPECT_FALSE(PlanUnaryS16({UnaryKind::kAbs}, byte, x, &op));
  EXPECT_FALSE(PlanUnaryS16({}, byte, byte, &op));
  EXPECT_FALSE(PlanUnaryS16({}, x, {DType::kUInt8, true, {1, 0}}, &op));
  EXPECT_FALSE(PlanUnaryS16({}, {DType::kInt16, false, {}}, x, &op));
  EXPECT_FALSE(PlanUnaryS16({UnaryKind::kClip, NAN, 1}, x, x, &op));
  EXPECT_FALSE(PlanUnaryS16({UnaryKind::kLeakyRelu, INFINITY}, x, x, &op));
}

TEST(SoftmaxS16, IsTensorFlowLites) {
  Random random(3);
  for (const float scale : {1e-5f, 1e-4f, 10.0f / 65535, 1e-3f, 0.1f, 3.0f, 1e30f}) {
    for (const size_t n : {size_t{1}, size_t{2}, size_t{7}, size_t{1000}}) {
      constexpr size_t kRows = 3;
      std::vector<int16_t> x(kRows * n), y(x.size());
      random.Fill(x, n == 2 ? -100 : INT16_MIN, n == 2 ? 100 : INT16_MAX);
      const SoftmaxS16Task task = PlanSoftmaxS16(kRows, n, scale);
      SoftmaxS16(task, x.data(), y.data(), ReversedParallel(2));
      for (size_t row = 0; row < kRows && scale < 1e10f; ++row) {
        const auto first = x.begin() + static_cast<ptrdiff_t>(row * n);
        const auto expected = int16_model::Softmax({first, first + static_cast<ptrdiff_t>(n)}, double{scale});
        for (size_t i = 0; i < n; ++i) ASSERT_EQ(y[row * n + i], expected[i]) << scale << " of " << n;
      }
      SoftmaxS16(task, x.data(), x.data(), ReversedParallel(1));
      EXPECT_EQ(x, y);
    }
  }
}

TEST(SoftmaxS16, AddsUpLongRows) {
  std::vector<int16_t> x(kMaxSoftmaxS16Row, 5), y(x.size());
  SoftmaxS16(PlanSoftmaxS16(1, x.size(), 1.0f), x.data(), y.data(), ReversedParallel(1));
  EXPECT_EQ(y, int16_model::Softmax(x, 1.0));
}

}  // namespace
}  // namespace micrort::testing::elementwise_s16
