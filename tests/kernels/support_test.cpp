// What the tests of kernels find errors by.

#include <gmock/gmock.h>

#include <limits>

#include "tests/kernels/guarded_buffer.h"
#include "tests/support/near.h"

namespace micrort::testing {
namespace {

using ::testing::Not;

TEST(EachNear, IsNotWhatIsFurtherApartMissingOrNoNumber) {
  using Floats = std::vector<float>;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT((Floats{1, -2, kInfinity}), EachNear(Floats{1.1f, -2.1f, kInfinity}, 0.2f));
  EXPECT_THAT((Floats{1, 2}), Not(EachNear(Floats{1, 2.3f}, 0.2f)));
  EXPECT_THAT((Floats{1, 2}), Not(EachNear(Floats{1}, 0.2f)));
  EXPECT_THAT((Floats{1}), Not(EachNear(Floats{1, 2}, 0.2f)));
  EXPECT_THAT((Floats{kNan}), Not(EachNear(Floats{1}, 0.2f)));
  EXPECT_THAT((Floats{1}), Not(EachNear(Floats{kNan}, 0.2f)));
  EXPECT_THAT((Floats{kNan}), Not(EachNear(Floats{kNan}, 0.2f)));
  EXPECT_THAT((Floats{-kInfinity}), Not(EachNear(Floats{kInfinity}, 0.2f)));
  EXPECT_EQ(FirstApart({1, 2, 5}, {1, 2, 3}, 0), "number 2 is 5 where 3 is expected");
}

TEST(GuardedBuffer, NoticesAnyByteBesideIt) {
  GuardedBuffer<int16_t> buffer(5, 0, 3);
  buffer[0] = buffer[4] = -1;
  EXPECT_TRUE(buffer.GuardsIntact());
  for (const int at : {-67, -1, 5, 68}) {
    int16_t& outside = *(buffer.data() + at);
    const int16_t kept = outside;
    for (const int flipped : {1, 0x100}) {
      outside = static_cast<int16_t>(kept ^ flipped);
      EXPECT_FALSE(buffer.GuardsIntact()) << at;
    }
    outside = kept;
  }
  EXPECT_TRUE(buffer.GuardsIntact());
}

}  // namespace
}  // namespace micrort::testing
