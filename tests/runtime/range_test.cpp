#include <gmock/gmock.h>

#include <limits>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <typename T>
OpTester RangeOf(T start, T limit, T delta) {
  OpTester op(ops::Range(), schema::RangeOptionsT());
  op.Known<T>(Shape(), {start}).template Known<T>(Shape(), {limit}).template Known<T>(Shape::Of(1), {delta});
  return op;
}

template <typename T>
std::vector<T> Values(T start, T limit, T delta) {
  OpTester op = RangeOf(start, limit, delta);
  const Status status = op.Run();
  EXPECT_TRUE(status.ok()) << status.message();
  return op.Output<T>();
}

TEST(Range, StopsBeforeTheLimit) {
  EXPECT_THAT(Values<int64_t>(1, 10, 3), ElementsAre(1, 4, 7));
  EXPECT_THAT(Values<int32_t>(10, 4, -2), ElementsAre(10, 8, 6));
  EXPECT_THAT(Values<int16_t>(-2, 1, 1), ElementsAre(-2, -1, 0));
  EXPECT_THAT(Values<float>(0, 1, 0.25f), ElementsAre(0, 0.25f, 0.5f, 0.75f));
  EXPECT_THAT(Values<double>(1, -0.5, -0.5), ElementsAre(1, 0.5, 0));
}

TEST(Range, MayBeEmpty) {
  EXPECT_THAT(Values<int64_t>(3, 3, 1), IsEmpty());
  EXPECT_THAT(Values<float>(3, 1, 1), IsEmpty());
}

TEST(Range, ReachesOverAllNumbers) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(Values<int64_t>(kMin, kMax, kMax), ElementsAre(kMin, -1, kMax - 1));
  EXPECT_THAT(Values<int64_t>(kMax, kMin, kMin), ElementsAre(kMax, -1));
}

TEST(Range, Refuses) {
  EXPECT_THAT(RangeOf<int64_t>(0, 5, 0).Infer().message(), HasSubstr("delta is 0"));
  EXPECT_THAT(RangeOf<int64_t>(0, int64_t{1} << 50, 1).Infer().message(), HasSubstr("too long"));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(RangeOf<float>(0, nan, 1).Infer().message(), HasSubstr("too long"));
  EXPECT_THAT(RangeOf<uint8_t>(0, 5, 1).Infer().message(), HasSubstr("a range of uint8"));
  OpTester mixed(ops::Range(), schema::RangeOptionsT());
  mixed.Known<int64_t>(Shape(), {0}).Known<int32_t>(Shape(), {5}).Known<int64_t>(Shape(), {1});
  EXPECT_THAT(mixed.Infer().message(), HasSubstr("input 1: expected one int64, found int32"));
}

// The converter learns which inputs decide the length.
TEST(Range, IsDataDependentWhereInputsAreUnknown) {
  OpTester op(ops::Range(), schema::RangeOptionsT());
  op.Known<int64_t>(Shape(), {0}).Input<int64_t>(Shape(), {5}).Known<int64_t>(Shape(), {1});
  ASSERT_TRUE(op.Infer().ok());
  EXPECT_EQ(op.result().deciders, 2u);
  EXPECT_EQ(op.OutputExtents(), Extents::DataDependent(1));
}

}  // namespace
}  // namespace micrort::testing
