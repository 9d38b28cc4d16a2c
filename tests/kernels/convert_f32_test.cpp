#include "kernels/elementwise/convert_f32.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/base/half.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;

constexpr size_t kMaxElements = 40;

int QuantizeOne(float x, QuantizationParams q, int lowest, int highest) {
  if (std::isnan(x)) return lowest;
  const double v = std::nearbyint(static_cast<double>(x / q.scale)) + q.zero_point;
  return v < lowest ? lowest : v > highest ? highest : static_cast<int>(v);
}

// Ties, values beyond both ends, infinities and NaN among ordinary numbers.
void FillFloats(Random& random, GuardedBuffer<float>& x, float scale) {
  random.Fill(x, -200.0 * static_cast<double>(scale), 200.0 * static_cast<double>(scale));
  const float kSpecial[] = {0.5f * scale,  1.5f * scale, -2.5f * scale,
                            1e30f,         -1e30f,       std::numeric_limits<float>::infinity(),
                            std::nanf(""), -0.0f};
  for (size_t i = 0; i < x.size(); i += 3) {
    x[i] = kSpecial[static_cast<size_t>(random.Integer(0, 7))];
  }
}

template <typename Test>
void ForEachKernelAndSize(Test test) {
  for (const ConvertF32Kernel& kernel : ConvertF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    for (size_t n = 0; n <= kMaxElements; ++n) {
      SCOPED_TRACE(::testing::Message() << kernel.name << " n " << n);
      Random random(static_cast<uint32_t>(n + 1));
      test(kernel, n, random);
    }
  }
}

TEST(ConvertF32, QuantizesToInt8) {
  ForEachKernelAndSize([](const ConvertF32Kernel& kernel, size_t n, Random& random) {
    const QuantizationParams q = {random.Float(0.01f, 2.0f), static_cast<int32_t>(random.Integer(-128, 127))};
    GuardedBuffer<float> x(n, 0.0f, 1);
    GuardedBuffer<int8_t> y(n, 0, 1);
    FillFloats(random, x, q.scale);
    kernel.quantize_s8(x.data(), y.data(), n, q);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], QuantizeOne(x[i], q, -128, 127)) << x[i];
    EXPECT_TRUE(y.GuardsIntact());
  });
}

TEST(ConvertF32, QuantizesToUInt8) {
  ForEachKernelAndSize([](const ConvertF32Kernel& kernel, size_t n, Random& random) {
    const QuantizationParams q = {random.Float(0.01f, 2.0f), static_cast<int32_t>(random.Integer(0, 255))};
    GuardedBuffer<float> x(n, 0.0f, 1);
    GuardedBuffer<uint8_t> y(n, 0, 1);
    FillFloats(random, x, q.scale);
    kernel.quantize_u8(x.data(), y.data(), n, q);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], QuantizeOne(x[i], q, 0, 255)) << x[i];
    EXPECT_TRUE(y.GuardsIntact());
  });
}

TEST(ConvertF32, QuantizesToInt16WithHalvesAwayFromZero) {
  ForEachKernelAndSize([](const ConvertF32Kernel& kernel, size_t n, Random& random) {
    const QuantizationParams q = {random.Float(0.0001f, 2.0f), static_cast<int32_t>(random.Integer(-1, 1))};
    GuardedBuffer<float> x(n, 0.0f, 1);
    GuardedBuffer<int16_t> y(n, 0, 1);
    FillFloats(random, x, q.scale);
    for (size_t i = 1; i < n; i += 3)
      x[i] = q.scale * (static_cast<float>(random.Integer(-40000, 40000)) + 0.5f);
    if (n > 2) x[2] = 0.49999997f, x[1] = -0.49999997f;
    kernel.quantize_s16(x.data(), y.data(), n, q);
    for (size_t i = 0; i < n; ++i) {
      const float rounded = std::round(x[i] / q.scale) + static_cast<float>(q.zero_point);
      const float expected =
          std::isnan(rounded) ? INT16_MIN : std::clamp<float>(rounded, INT16_MIN, INT16_MAX);
      ASSERT_EQ(y[i], static_cast<int16_t>(expected)) << x[i];
    }
    EXPECT_TRUE(y.GuardsIntact());
  });
}

template <typename T>
void TestDequantize(void (*run)(const T*, float*, size_t, QuantizationParams), size_t n, Random& random) {
  const int64_t lowest = std::numeric_limits<T>::min(), highest = std::numeric_limits<T>::max();
  QuantizationParams q = {random.Float(0.01f, 2.0f), 0};
  if (sizeof(T) == 1) q.zero_point = static_cast<int32_t>(random.Integer(lowest, highest));
  GuardedBuffer<T> x(n, 0, 1);
  GuardedBuffer<float> y(n, 0, 1);
  random.Fill(x, static_cast<double>(lowest), static_cast<double>(highest));
  run(x.data(), y.data(), n, q);
  for (size_t i = 0; i < n; ++i) ASSERT_EQ(y[i], static_cast<float>(x[i] - q.zero_point) * q.scale);
  EXPECT_TRUE(y.GuardsIntact());
}

TEST(ConvertF32, Dequantizes) {
  ForEachKernelAndSize([](const ConvertF32Kernel& kernel, size_t n, Random& random) {
    TestDequantize<int8_t>(kernel.dequantize_s8, n, random);
    TestDequantize<uint8_t>(kernel.dequantize_u8, n, random);
    TestDequantize<int32_t>(kernel.dequantize_s32, n, random);
  });
}

TEST(ConvertF32, ConvertsHalves) {
  ForEachKernelAndSize([](const ConvertF32Kernel& kernel, size_t n, Random& random) {
    GuardedBuffer<uint16_t> halves(n, 0, 1), back(n, 0, 1);
    GuardedBuffer<float> floats(n, 0, 1);
    random.Fill(halves, 0, 0x7c00);
    kernel.from_half(halves.data(), floats.data(), n);
    kernel.to_half(floats.data(), back.data(), n);
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(floats[i], HalfToFloat(halves[i]));
      ASSERT_EQ(back[i], halves[i]);
    }
    EXPECT_TRUE(floats.GuardsIntact());
    EXPECT_TRUE(back.GuardsIntact());
  });
}

}  // namespace
}  // namespace micrort
