#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::OpTester;

OpTester NonZero() { return OpTester(ops::NonZero(), schema::NonZeroOptionsT()); }

TEST(NonZero, GivesCoordinatesInOrder) {
  OpTester op = NonZero();
  op.Input<float>(Shape::Of(2, 3), {1, 0, -2, 0, 0, 1e-40f});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(2, 3));
  EXPECT_THAT(op.Output<int64_t>(), ElementsAre(0, 0, 1, 0, 2, 2));
}

template <typename T>
void ExpectSecond() {
  OpTester op = NonZero();
  op.Input<T>(Shape::Of(3), {0, std::numeric_limits<T>::max(), 0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int64_t>(), ElementsAre(1));
}

TEST(NonZero, EveryType) {
  ExpectSecond<float>();
  ExpectSecond<double>();
  ExpectSecond<int8_t>();
  ExpectSecond<uint8_t>();
  ExpectSecond<int16_t>();
  ExpectSecond<uint16_t>();
  ExpectSecond<int32_t>();
  ExpectSecond<uint32_t>();
  ExpectSecond<int64_t>();
  ExpectSecond<uint64_t>();
  OpTester half = NonZero();  // -0, the smallest subnormal
  half.Input<uint16_t>(Shape::Of(2), {0x8000, 1}).InputType(DType::kFloat16);
  ASSERT_TRUE(half.Run().ok());
  EXPECT_THAT(half.Output<int64_t>(), ElementsAre(1));
}

TEST(NonZero, NothingAndScalars) {
  OpTester zeros = NonZero();
  zeros.Input<int32_t>(Shape::Of(2, 2), {0, 0, 0, 0});
  ASSERT_TRUE(zeros.Run().ok());
  EXPECT_EQ(zeros.OutputShape(), Shape::Of(2, 0));
  OpTester scalar = NonZero();
  scalar.Input<int32_t>(Shape::Of(), {3});
  ASSERT_TRUE(scalar.Run().ok());
  EXPECT_EQ(scalar.OutputShape(), Shape::Of(0, 1));
}

}  // namespace
}  // namespace micrort
