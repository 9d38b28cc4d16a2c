// Scratch given up for a smaller arena.

#include "converter/plan/fit_arena.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::plan {
namespace {

using ::testing::HasSubstr;

// x (256 bytes) -> op 0 -> y (256 bytes) -> op 1 -> z (256 bytes), each operator with options for its
// scratch.
struct Chain {
  Chain(std::vector<ScratchOption> first, std::vector<ScratchOption> second) {
    items.resize(5);
    for (int t = 0; t < 3; ++t) {
      items[static_cast<size_t>(t)].bytes = 256;
      items[static_cast<size_t>(t)].first_op = t == 0 ? 0 : t - 1;
      items[static_cast<size_t>(t)].last_op = t;
    }
    for (int op = 0; op < 2; ++op) {
      items[static_cast<size_t>(3 + op)].first_op = items[static_cast<size_t>(3 + op)].last_op = op;
    }
    options = {std::move(first), std::move(second)};
  }
  Status Fit(size_t limit, ArenaFit* fit) {
    return FitArena({{items.data(), items.size()}, 3, options, limit}, fit);
  }
  size_t scratch(size_t op) const { return items[3 + op].bytes; }

  std::vector<PlanItem> items;
  std::vector<std::vector<ScratchOption>> options;
};

TEST(FitArena, TakesTheCheapestOptionsWhereTheyFit) {
  Chain chain({{1024, 1.0}, {64, 2.0}}, {{512, 1.0}});
  ArenaFit fit;
  ASSERT_TRUE(chain.Fit(512 + 1024, &fit).ok());
  EXPECT_EQ(chain.scratch(0), 1024u);
  EXPECT_EQ(chain.scratch(1), 512u);
  EXPECT_EQ(fit.given_up, 0u);
  EXPECT_EQ(fit.loss, 0.0);
  EXPECT_EQ(fit.placed.layout.arena_bytes, 512u + 1024);
}

TEST(FitArena, GivesUpOnlyWhatIsTooLarge) {
  Chain chain({{1024, 1.0}, {512, 2.0}, {64, 9.0}}, {{512, 1.0}, {64, 1.1}});
  ArenaFit fit;
  ASSERT_TRUE(chain.Fit(512 + 600, &fit).ok());
  EXPECT_EQ(chain.scratch(0), 512u);
  EXPECT_EQ(chain.scratch(1), 512u);
  EXPECT_EQ(fit.given_up, 1u);
  EXPECT_DOUBLE_EQ(fit.loss, 0.5);
  EXPECT_LE(fit.placed.layout.arena_bytes, 512u + 600);
}

TEST(FitArena, TriesFewerOrdersOfThousandsOfItems) {
  EXPECT_EQ(SearchSteps(0), 4000);
  EXPECT_EQ(SearchSteps(700), 4000);
  EXPECT_EQ(SearchSteps(6000), 59);
  EXPECT_EQ(SearchSteps(100000), 0);
}

TEST(FitArena, NamesTheSmallestArenaPossibleWhichThenFits) {
  Chain chain({{1024, 1.0}, {128, 2.0}}, {{512, 1.0}, {64, 2.0}});
  ArenaFit fit;
  const Status status = chain.Fit(100, &fit);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr(std::to_string(512 + 128) + " bytes"));
  Chain again({{1024, 1.0}, {128, 2.0}}, {{512, 1.0}, {64, 2.0}});
  EXPECT_TRUE(again.Fit(512 + 128, &fit).ok());
}

TEST(LargestGap, LiesBetweenOrAboveWhatIsAlive) {
  std::vector<PlanItem> items(4);
  items[0] = {128, 0, 1, -1, kNoOffset};
  items[1] = {128, 0, 0, -1, kNoOffset};
  items[2] = {128, 1, 1, -1, kNoOffset};
  FixedArray<size_t> offsets;
  ASSERT_TRUE(offsets.Allocate(4).ok());
  offsets[0] = 0;
  offsets[1] = 512;
  offsets[2] = 128;
  const Span<const PlanItem> view(items.data(), items.size());
  EXPECT_EQ(LargestGap(view, offsets, 3, 0, 1024), 384u);
  EXPECT_EQ(LargestGap(view, offsets, 3, 0, 1152), 512u);
  EXPECT_EQ(LargestGap(view, offsets, 3, 1, 1024), 768u);
  EXPECT_EQ(LargestGap(view, offsets, 3, 1, 128), 0u);
}

}  // namespace
}  // namespace micrort::plan
