#include "runtime/plan/check_plan.h"

#include <gmock/gmock.h>

#include <random>
#include <vector>

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

struct Placed {
  size_t bytes, offset;
  int32_t first_op, last_op;
  int32_t takes_over = -1;
};

Status Check(const std::vector<Placed>& placed, size_t arena_bytes) {
  std::vector<PlanItem> items;
  std::vector<size_t> offsets;
  for (const Placed& p : placed) {
    PlanItem item;
    item.bytes = p.bytes;
    item.first_op = p.first_op;
    item.last_op = p.last_op;
    item.takes_over = p.takes_over;
    items.push_back(item);
    offsets.push_back(p.offset);
  }
  return CheckPlan({items.data(), items.size()}, {offsets.data(), offsets.size()}, arena_bytes);
}

TEST(CheckPlan, AcceptsNeighboursInSpaceAndTime) {
  EXPECT_TRUE(Check({{64, 0, 0, 1}, {64, 64, 0, 1}, {128, 0, 2, 3}}, 128).ok());
}

TEST(CheckPlan, RefusesOverlap) {
  const Status status = Check({{64, 0, 0, 1}, {128, 64, 0, 1}, {64, 128, 1, 3}}, 192);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("items 1 and 2 are alive at operator 1 and overlap"));
}

TEST(CheckPlan, RefusesUnalignedOffset) {
  EXPECT_THAT(Check({{64, 32, 0, 1}}, 128).message(),
              HasSubstr("item 0: expected an offset that is a multiple"));
}

TEST(CheckPlan, RefusesItemsOutsideTheArena) {
  EXPECT_THAT(Check({{64, 64, 0, 1}}, 127).message(), HasSubstr("64 bytes at offset 64 reach out"));
  EXPECT_FALSE(Check({{64, ~size_t{63}, 0, 1}}, 128).ok());
}

TEST(CheckPlan, EmptyItemsTakeNoPlace) { EXPECT_TRUE(Check({{0, 7, 0, 1}, {64, 0, 0, 1}}, 64).ok()); }

TEST(CheckPlan, TakeOverMustBeExact) {
  EXPECT_TRUE(Check({{64, 0, 0, 1}, {64, 0, 1, 2, 0}}, 64).ok());
  EXPECT_FALSE(Check({{64, 0, 0, 1}, {64, 0, 1, 2}}, 64).ok()) << "the operator does not allow it";
  EXPECT_FALSE(Check({{128, 0, 0, 1}, {128, 64, 1, 2, 0}}, 192).ok()) << "another place";
  EXPECT_FALSE(Check({{128, 0, 0, 1}, {64, 0, 1, 2, 0}}, 128).ok()) << "another size";
  EXPECT_FALSE(Check({{64, 0, 0, 2}, {64, 0, 1, 2, 0}}, 64).ok()) << "still read later";
  EXPECT_FALSE(Check({{64, 0, 0, 1}, {64, 0, 1, 2, 0}, {64, 0, 1, 2, 0}}, 64).ok()) << "taken twice";
}

// Against the definition: all pairs, element by element.
TEST(CheckPlan, AgreesWithAllPairs) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    std::vector<Placed> placed;
    for (int i = 0; i < 6; ++i) {
      const auto first = static_cast<int32_t>(random() % 10);
      placed.push_back(
          {64 * (random() % 3), 64 * (random() % 12), first, first + static_cast<int32_t>(random() % 3)});
    }
    bool overlap = false;
    for (const Placed& a : placed) {
      for (const Placed& b : placed) {
        overlap |= &a != &b && a.first_op <= b.last_op && b.first_op <= a.last_op &&
                   a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes && a.bytes * b.bytes != 0;
      }
    }
    EXPECT_EQ(Check(placed, 64 * 16).ok(), !overlap) << seed;
  }
}

}  // namespace
}  // namespace micrort::testing
