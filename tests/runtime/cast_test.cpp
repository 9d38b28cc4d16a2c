#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/base/half.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::OpTester;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename To, typename From>
std::vector<To> Cast(const std::vector<From>& x) {
  OpTester op(ops::Cast(), schema::CastOptionsT());
  op.Input(Shape::Of(x.size()), x);
  op.OutputType(kDTypeOf<To>);
  const Status status = op.Run();
  EXPECT_TRUE(status.ok()) << status.message();
  return op.Output<To>();
}

TEST(Cast, FloatsTruncateAndSaturate) {
  const std::vector<float> x = {1.9f, -1.9f, 300.0f, -300.0f, std::nanf(""), kInfinity, -kInfinity, 0x1p31f};
  EXPECT_THAT((Cast<int8_t>(x)), ElementsAre(1, -1, 127, -128, 0, 127, -128, 127));
  EXPECT_THAT((Cast<uint8_t>(x)), ElementsAre(1, 0, 255, 0, 0, 255, 0, 255));
  EXPECT_THAT((Cast<int32_t>(x)), ElementsAre(1, -1, 300, -300, 0, INT32_MAX, INT32_MIN, INT32_MAX));
  EXPECT_THAT((Cast<uint64_t>(x)), ElementsAre(1, 0, 300, 0, 0, UINT64_MAX, 0, uint64_t{1} << 31));
  EXPECT_THAT((Cast<bool>(x)), ElementsAre(true, true, true, true, true, true, true, true));
  EXPECT_THAT((Cast<bool, float>({0.0f, -0.0f, 0.1f})), ElementsAre(false, false, true));
}

TEST(Cast, IntegersWrap) {
  EXPECT_THAT((Cast<int8_t, int32_t>({255, 256, -129})), ElementsAre(-1, 0, 127));
  EXPECT_THAT((Cast<uint32_t, int64_t>({-1, int64_t{1} << 32})), ElementsAre(UINT32_MAX, 0));
  EXPECT_THAT((Cast<float, uint64_t>({UINT64_MAX})), ElementsAre(0x1p64f));
}

TEST(Cast, WideTypesKeepTheirBits) {
  EXPECT_THAT((Cast<int64_t, int64_t>({INT64_MAX, INT64_MIN + 1})), ElementsAre(INT64_MAX, INT64_MIN + 1));
  EXPECT_THAT((Cast<double, double>({1e300, -0.1})), ElementsAre(1e300, -0.1));
  EXPECT_THAT((Cast<float, double>({1e300, 0.1})), ElementsAre(kInfinity, 0.1f));
}

TEST(Cast, HalvesOfManyChunks) {
  std::vector<float> x(1000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) * 0.37f - 100;
  OpTester op(ops::Cast(), schema::CastOptionsT());
  op.Input(Shape::Of(x.size()), x).OutputType(DType::kFloat16);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputDType(), DType::kFloat16);
}

StatusCode Reinterpret(DType to, std::vector<uint32_t>* y = nullptr) {
  schema::CastOptionsT options;
  options.reinterpret = true;
  OpTester op(ops::Cast(), options);
  op.Input<float>(Shape::Of(2), {1, -0.0f}).OutputType(to);
  const StatusCode code = op.Run().code();
  if (y != nullptr) *y = op.Output<uint32_t>();
  return code;
}

TEST(Cast, ReinterpretsBitsBetweenTypesOfOneSize) {
  std::vector<uint32_t> bits;
  EXPECT_EQ(Reinterpret(DType::kUInt32, &bits), StatusCode::kOk);
  EXPECT_THAT(bits, ElementsAre(0x3f800000, 0x80000000));
  EXPECT_EQ(Reinterpret(DType::kUInt64), StatusCode::kInvalidModel);
  EXPECT_EQ(Reinterpret(DType::kBool), StatusCode::kInvalidModel);
}

TEST(Cast, OutputTypeMustBeSet) {
  OpTester op(ops::Cast(), schema::CastOptionsT());
  op.Input<float>(Shape::Of(1), {1});
  EXPECT_EQ(op.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
