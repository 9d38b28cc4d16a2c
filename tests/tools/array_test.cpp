#include "tools/io/array.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"

namespace micrort::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::MakeArray;
using testing::Values;

TEST(ConvertArray, KeepsTheArrayOfTheSameType) {
  const NamedArray from = MakeArray<float>({2}, {0.5f, std::numeric_limits<float>::infinity()});
  NamedArray to;
  ASSERT_THAT(ConvertArray(from, DType::kFloat32, &to), IsOk());
  EXPECT_EQ(to.data, from.data);
}

TEST(ConvertArray, WritesOverItsOwnSource) {
  NamedArray array = MakeArray<uint8_t>({1, 3}, {0, 7, 255});
  ASSERT_THAT(ConvertArray(array, DType::kFloat32, &array), IsOk());
  EXPECT_EQ(array.shape, (std::vector<int64_t>{1, 3}));
  EXPECT_THAT(Values<float>(array), ElementsAre(0, 7, 255));
}

TEST(ConvertArray, RoundsFloatsToNarrowerFloats) {
  NamedArray to;
  ASSERT_THAT(ConvertArray(MakeArray<double>({1}, {0.1}), DType::kFloat32, &to), IsOk());
  EXPECT_THAT(Values<float>(to), ElementsAre(0.1f));
  ASSERT_THAT(ConvertArray(MakeArray<float>({2}, {1, 1.0001f}), DType::kFloat16, &to), IsOk());
  EXPECT_THAT(Values<uint16_t>(to), ElementsAre(0x3c00, 0x3c00));
}

TEST(ConvertArray, KeepsIntegersThatFit) {
  NamedArray to;
  ASSERT_THAT(ConvertArray(MakeArray<int64_t>({3}, {-128, 0, 127}), DType::kInt8, &to), IsOk());
  EXPECT_THAT(Values<int8_t>(to), ElementsAre(-128, 0, 127));
  ASSERT_THAT(ConvertArray(MakeArray<float>({2}, {0, 1}), DType::kBool, &to), IsOk());
  EXPECT_THAT(Values<uint8_t>(to), ElementsAre(0, 1));
}

TEST(ConvertArray, NamesTheFirstValueThatDoesNotFit) {
  const auto error = [](const char* text) { return IsError(StatusCode::kInvalidArgument, HasSubstr(text)); };
  NamedArray to;
  EXPECT_THAT(ConvertArray(MakeArray<float>({2}, {1, 0.5f}), DType::kInt32, &to),
              error("element 1 of the float32 array is 0.5"));
  EXPECT_THAT(ConvertArray(MakeArray<int64_t>({1}, {128}), DType::kInt8, &to), error("is 128, which int8"));
  EXPECT_THAT(ConvertArray(MakeArray<int8_t>({1}, {-1}), DType::kUInt8, &to), error("is -1, which uint8"));
  EXPECT_THAT(ConvertArray(MakeArray<uint8_t>({1}, {2}), DType::kBool, &to), error("is 2, which bool"));
  EXPECT_THAT(
      ConvertArray(MakeArray<float>({1}, {std::numeric_limits<float>::quiet_NaN()}), DType::kInt32, &to),
      error("int32"));
  EXPECT_THAT(ConvertArray(MakeArray<double>({1}, {1e300}), DType::kInt64, &to), error("int64"));
  EXPECT_THAT(ConvertArray(MakeArray<double>({1}, {9223372036854775808.0}), DType::kInt64, &to),
              error("int64"));
}

TEST(ConvertArray, LeavesTheTargetAloneOnError) {
  NamedArray array = MakeArray<float>({1}, {0.5f});
  ASSERT_THAT(ConvertArray(array, DType::kInt8, &array), IsError(StatusCode::kInvalidArgument));
  EXPECT_EQ(array.dtype, DType::kFloat32);
}

TEST(ShapeText, IsReadable) {
  EXPECT_EQ(ShapeText({}), "scalar");
  EXPECT_EQ(ShapeText({5}), "5");
  EXPECT_EQ(ShapeText({-1, 3, 224, 224}), "?x3x224x224");
}

}  // namespace
}  // namespace micrort::io
