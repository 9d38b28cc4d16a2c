#include "runtime/plan/planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "runtime/plan/check_plan.h"

namespace micrort::testing {
namespace {

PlanItem Item(size_t bytes, int32_t first_op, int32_t last_op, int32_t takes_over = -1) {
  PlanItem item;
  item.bytes = bytes;
  item.first_op = first_op;
  item.last_op = last_op;
  item.takes_over = takes_over;
  return item;
}

struct Planned {
  Status status;
  std::vector<size_t> offsets;
  MemoryLayout layout;
};

// Every plan made here passes the checker, and no plan beats the bound.
Planned PlanAndCheck(const std::vector<PlanItem>& items, const PlannerOptions& options) {
  Planned planned;
  planned.offsets.resize(items.size());
  planned.status = PlanMemory({items.data(), items.size()}, options,
                              {planned.offsets.data(), planned.offsets.size()}, &planned.layout);
  if (!planned.status.ok()) return planned;
  const Status check =
      CheckPlan({items.data(), items.size()}, {planned.offsets.data(), planned.offsets.size()},
                planned.layout.arena_bytes);
  EXPECT_TRUE(check.ok()) << check.message();
  EXPECT_GE(planned.layout.arena_bytes, planned.layout.lower_bound);
  return planned;
}

Planned PlanAndCheck(const std::vector<PlanItem>& items, int search_steps = 0) {
  PlannerOptions options;
  options.search_steps = search_steps;
  return PlanAndCheck(items, options);
}

TEST(Planner, NothingNeedsNothing) {
  EXPECT_EQ(PlanAndCheck({}).layout.arena_bytes, 0u);
  const Planned empty_tensor = PlanAndCheck({Item(0, 0, 3)});
  EXPECT_EQ(empty_tensor.layout.arena_bytes, 0u);
  EXPECT_EQ(empty_tensor.offsets[0], 0u);
}

TEST(Planner, ReusesMemoryOfTheDead) {
  const Planned p = PlanAndCheck({Item(128, 0, 1), Item(64, 1, 2), Item(128, 2, 3)});
  EXPECT_EQ(p.layout.lower_bound, 192u);
  EXPECT_EQ(p.layout.arena_bytes, 192u);
  EXPECT_EQ(p.offsets[0], p.offsets[2]);
}

// Outputs of the graph, above all.
TEST(Planner, WhatLivesAtTheSameTimeLiesOneBehindTheOther) {
  std::vector<PlanItem> items;
  for (int32_t i = 0; i < 100; ++i) items.push_back(Item(64, i, 100));
  items.push_back(Item(64, 98, 98));  // while all but the last of them live
  const Planned p = PlanAndCheck(items);
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(p.offsets[i], 64 * i);
  EXPECT_EQ(p.offsets[100], 64u * 99);
  EXPECT_EQ(p.layout.arena_bytes, 64u * 100);
}

TEST(Planner, OutputTakesOverInput) {
  const Planned p = PlanAndCheck({Item(128, 0, 1), Item(128, 1, 2, 0), Item(128, 2, 3, 1)});
  EXPECT_EQ(p.layout.lower_bound, 128u);
  EXPECT_EQ(p.layout.arena_bytes, 128u);
}

TEST(Planner, TakeOverChainsInAnyOrder) {
  const Planned p = PlanAndCheck({Item(128, 2, 3, 2), Item(128, 0, 1), Item(128, 1, 2, 1)});
  EXPECT_EQ(p.layout.arena_bytes, 128u);
}

TEST(Planner, FixedOffsetsStay) {
  std::vector<PlanItem> items = {Item(64, 0, 2), Item(64, 1, 3), Item(64, 2, 2)};
  items[0].fixed_offset = 128;
  items[1].fixed_offset = 0;
  const Planned p = PlanAndCheck(items);
  EXPECT_EQ(p.offsets[0], 128u);
  EXPECT_EQ(p.offsets[1], 0u);
  EXPECT_EQ(p.offsets[2], 64u);  // the gap between them
  EXPECT_EQ(p.layout.arena_bytes, 192u);
}

TEST(Planner, RefusesSumsThatOverflow) {
  const size_t huge = PTRDIFF_MAX / 2 + 1;
  const std::vector<PlanItem> items(3, Item(AlignUp(huge, kAlignment), 0, 1));
  EXPECT_EQ(PlanAndCheck(items).status.code(), StatusCode::kInvalidModel);
}

// What a network looks like: each operator writes one tensor, which some later ones read or take over, and
// some need scratch.
std::vector<PlanItem> RandomNetwork(std::mt19937& random, int ops) {
  std::vector<PlanItem> items;
  size_t previous = 0;  // the tensor of the operator before
  for (int32_t op = 0; op < ops; ++op) {
    const auto lifetime = static_cast<int32_t>(random() % 8 == 0 ? random() % 20 : random() % 3);
    PlanItem tensor = Item(kAlignment * (random() % 64), op, std::min(op + lifetime, ops - 1));
    if (op > 0 && random() % 3 == 0 && items[previous].last_op == op && items[previous].bytes != 0) {
      tensor.bytes = items[previous].bytes;
      tensor.takes_over = static_cast<int32_t>(previous);
    }
    previous = items.size();
    items.push_back(tensor);
    if (random() % 4 == 0) items.push_back(Item(kAlignment * (random() % 32), op, op));
  }
  return items;
}

TEST(Planner, RandomNetworks) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::vector<PlanItem> items = RandomNetwork(random, 1 + static_cast<int>(random() % 80));
    const Planned quick = PlanAndCheck(items);
    ASSERT_TRUE(quick.status.ok()) << quick.status.message();
    const Planned searched = PlanAndCheck(items, 200);
    EXPECT_LE(searched.layout.arena_bytes, quick.layout.arena_bytes);
    EXPECT_EQ(searched.layout.lower_bound, quick.layout.lower_bound);
    EXPECT_EQ(PlanAndCheck(items, 200).offsets, searched.offsets);
  }
}

// Sizes become smaller, and larger again.
TEST(Planner, FormerPlacesGiveTheOrder) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::vector<PlanItem> large = RandomNetwork(random, 60);
    const Planned searched = PlanAndCheck(large, 200);
    std::vector<PlanItem> small = large;
    for (PlanItem& item : small) item.bytes = AlignUp(item.bytes / 3, kAlignment);
    PlannerOptions options;
    options.former_offsets = {searched.offsets.data(), searched.offsets.size()};
    const Planned shrunk = PlanAndCheck(small, options);
    EXPECT_LE(shrunk.layout.arena_bytes, searched.layout.arena_bytes);
    EXPECT_EQ(PlanAndCheck(large, options).layout.arena_bytes, searched.layout.arena_bytes);
    options.former_offsets = {shrunk.offsets.data(), shrunk.offsets.size()};
    EXPECT_TRUE(PlanAndCheck(large, options).status.ok());
  }
}

// Known to be hard for greedy orders alone.
TEST(Planner, SearchComesCloseToTheBound) {
  double worst = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const Planned p = PlanAndCheck(RandomNetwork(random, 100), 3000);
    worst = std::max(worst,
                     static_cast<double>(p.layout.arena_bytes) / static_cast<double>(p.layout.lower_bound));
  }
  EXPECT_LT(worst, 1.1);
}

TEST(Planner, ManyBuffers) {
  std::mt19937 random(1);
  EXPECT_TRUE(PlanAndCheck(RandomNetwork(random, 10000)).status.ok());
}

}  // namespace
}  // namespace micrort::testing
