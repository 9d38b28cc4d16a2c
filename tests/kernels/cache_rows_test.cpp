#include "kernels/attention/cache_rows.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/base/half.h"
#include "tests/kernels/conv2d_case.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

using ::testing::FloatNear;
using ::testing::Pointwise;

constexpr DType kTypes[] = {DType::kFloat16, DType::kInt8};
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<uint8_t> Written(const CacheRows& rows, const std::vector<float>& x) {
  const auto count = static_cast<int64_t>(x.size()) / rows.width;
  std::vector<uint8_t> bytes(static_cast<size_t>(count * rows.elements()) * SizeOf(rows.type) + 1, 0xa5);
  WriteCacheRows(rows, x.data(), count, bytes.data(), Sequential());
  EXPECT_EQ(bytes.back(), 0xa5);
  bytes.pop_back();
  return bytes;
}

std::vector<float> Read(const CacheRows& rows, const std::vector<uint8_t>& bytes) {
  const auto count = static_cast<int64_t>(bytes.size() / SizeOf(rows.type)) / rows.elements();
  std::vector<float> y(static_cast<size_t>(count * rows.width));
  ReadCacheRows(rows, bytes.data(), rows.elements(), count, y.data());
  return y;
}

std::vector<float> Kept(DType type, const std::vector<float>& row) {
  const CacheRows rows = PlanCacheRows(type, static_cast<int64_t>(row.size()), DetectCpuFeatures());
  return Read(rows, Written(rows, row));
}

TEST(CacheRows, HoldHalvesRoundedToNearestEven) {
  std::vector<float> x = {1, -2, 0.1f, 65504, 1e-6f, 1 + 0x1p-11f, 1 + 3 * 0x1p-11f, 0, 1e9f};
  std::vector<float> expected;
  for (const float v : x) expected.push_back(HalfToFloat(FloatToHalf(v)));
  EXPECT_EQ(Kept(DType::kFloat16, x), expected);
}

TEST(CacheRows, HoldInt8WithAScaleForEachRow) {
  const CacheRows rows = PlanCacheRows(DType::kInt8, 3, DetectCpuFeatures());
  const std::vector<uint8_t> bytes = Written(rows, {127, -3, 0.4f, 0.2f, -0.5f, 0});
  ASSERT_EQ(bytes.size(), 2u * (3 + sizeof(float)));
  EXPECT_THAT(Read(rows, bytes),
              Pointwise(FloatNear(1e-6f), {127.0f, -3.0f, 0.0f, 0.5f * 51 / 127, -0.5f, 0.0f}));
  float scale = 0;
  std::memcpy(&scale, bytes.data() + 10, sizeof scale);
  EXPECT_EQ(scale, 0.5f / 127);
}

// Rows of zeros, infinities or numbers that no float can count have a scale all the same.
TEST(CacheRows, HoldExtremes) {
  EXPECT_EQ(Kept(DType::kInt8, {0, -0.0f, 0}), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(Kept(DType::kInt8, {kInfinity, 3, -kInfinity}), (std::vector<float>{127, 3, -128}));
  EXPECT_EQ(Kept(DType::kInt8, {1e-40f, -1e-40f}), (std::vector<float>{0, 0}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(Kept(DType::kInt8, {nan, 127, 1}), (std::vector<float>{-128, 127, 1}));
  EXPECT_EQ(Kept(DType::kInt8, {nan, nan}), (std::vector<float>{-128, -128}));
  EXPECT_TRUE(std::isnan(Kept(DType::kFloat16, {nan})[0]));
}

TEST(CacheRows, HaveTheSameBitsByAllVariants) {
  Random random(9);
  for (const DType type : kTypes) {
    for (const int64_t width : {1, 5, 8, 64, 129}) {
      std::vector<float> x(static_cast<size_t>(width * 200));
      random.Fill(x, -3, 3);
      const CacheRows portable = PlanCacheRows(type, width, 0);
      const std::vector<uint8_t> expected = Written(portable, x);
      const std::vector<float> floats = Read(portable, expected);
      for (const CpuFeatures features : FeatureSets()) {
        const CacheRows rows = PlanCacheRows(type, width, features);
        EXPECT_EQ(Written(rows, x), expected) << Name(type) << " " << width;
        EXPECT_EQ(Read(rows, expected), floats) << Name(type) << " " << width;
      }
    }
  }
}

}  // namespace
}  // namespace micrort::testing
