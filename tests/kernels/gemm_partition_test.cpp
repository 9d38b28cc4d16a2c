#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/gemm/work_partition.h"

namespace micrort {
namespace {

constexpr GemmBlockLimit kNarrow = {96 * 1024, 16}, kWide = {384 * 1024, 32};

// Every tile of rows and every panel of every group belongs to exactly one task.
void ExpectPartition(int64_t groups, int64_t rows, int64_t panels, int64_t mr, int64_t depth_bytes,
                     int workers, GemmShare share) {
  const GemmPartition partition =
      MakeGemmPartition(groups, rows, panels, mr, depth_bytes, workers, share, kNarrow);
  EXPECT_EQ(partition.row_block % mr, 0);
  std::vector<int> seen(static_cast<size_t>(groups * rows * panels));
  for (int64_t i = 0; i < partition.tasks; ++i) {
    const GemmTask t = TaskOf(partition, static_cast<size_t>(i));
    EXPECT_LE(t.rows, partition.row_block);
    for (int64_t row = t.first_row; row < t.first_row + t.rows; ++row) {
      for (int64_t panel = t.first_panel; panel < t.first_panel + t.panels; ++panel) {
        ++seen[static_cast<size_t>((t.group * rows + row) * panels + panel)];
      }
    }
  }
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

TEST(GemmPartition, CoversEverythingOnce) {
  for (const int workers : {1, 2, 5, 64}) {
    for (const int64_t rows : {1, 6, 49, 50, 97, 1000}) {
      for (const int64_t panels : {1, 3, 32}) {
        ExpectPartition(2, rows, panels, 6, 2048, workers, GemmShare::kRows);
        ExpectPartition(2, rows, panels, 6, 2048, workers, GemmShare::kPanels);
      }
    }
  }
}

TEST(GemmPartition, HasNoTasksWithoutRows) {
  EXPECT_EQ(MakeGemmPartition(1, 0, 3, 6, 2048, 4, GemmShare::kPanels, kNarrow).tasks, 0);
}

TEST(GemmPartition, GivesEveryWorkerSomethingIfItCan) {
  EXPECT_GE(MakeGemmPartition(1, 49, 32, 6, 2048, 4, GemmShare::kPanels, kNarrow).tasks, 16);
  EXPECT_EQ(MakeGemmPartition(1, 49, 32, 6, 2048, 1, GemmShare::kPanels, kNarrow).tasks, 1);
  EXPECT_EQ(MakeGemmPartition(1, 3, 1, 6, 2048, 4, GemmShare::kPanels, kNarrow).tasks, 1);
}

TEST(GemmPartition, BlocksAreAboutEqual) {
  // Eight tiles fit into the cache. Nine make one block, twelve make two.
  EXPECT_EQ(MakeGemmPartition(1, 49, 1, 6, 2048, 1, GemmShare::kPanels, kNarrow).row_block, 54);
  EXPECT_EQ(MakeGemmPartition(1, 72, 1, 6, 2048, 1, GemmShare::kPanels, kNarrow).row_block, 36);
}

TEST(GemmPartition, NoBlockIsLargerThanAStrictLimit) {
  // Three tiles of two rows fit.
  constexpr GemmBlockLimit kStrict = {6 * 144, 8, true}, kAbout = {6 * 144, 8, false};
  const auto partition = [](int64_t rows, const GemmBlockLimit& limit) {
    return MakeGemmPartition(1, rows, 4, 2, 144, 1, GemmShare::kPanels, limit);
  };
  EXPECT_EQ(partition(8, kAbout).row_block, 8);
  EXPECT_EQ(partition(1024, kAbout).row_capacity, 8);
  EXPECT_EQ(partition(1024, kStrict).row_capacity, 6);
  for (int64_t rows = 1; rows <= 1024; ++rows) EXPECT_LE(partition(rows, kStrict).row_block, 6) << rows;
}

TEST(GemmPartition, BlocksOfWideVectorsHaveMoreRows) {
  EXPECT_EQ(MakeGemmPartition(1, 1536, 1, 6, 2048, 1, GemmShare::kPanels, kWide).row_block, 192);
  EXPECT_EQ(MakeGemmPartition(1, 1536, 1, 6, 64, 1, GemmShare::kPanels, kWide).row_block, 192);
}

TEST(GemmPartition, WorkersHaveRowsOfTheirOwn) {
  const GemmPartition rows = MakeGemmPartition(1, 196, 8, 6, 2048, 2, GemmShare::kRows, kNarrow);
  EXPECT_EQ(rows.row_tasks % 2, 0);
  EXPECT_GE(rows.tasks, 8);
  const GemmPartition panels = MakeGemmPartition(1, 49, 8, 6, 2048, 2, GemmShare::kPanels, kNarrow);
  EXPECT_EQ(panels.row_tasks, 1);
  EXPECT_EQ(panels.tasks, 8);
}

// Memory is planned for a bound; a product of fewer rows may be cut into fewer, larger blocks.
TEST(GemmPartition, CapacityHoldsTheBlocksOfFewerRows) {
  for (const GemmShare share : {GemmShare::kRows, GemmShare::kPanels}) {
    int64_t largest = 0;
    for (int64_t rows = 1; rows < 1000; ++rows) {
      for (const int workers : {1, 2}) {
        largest =
            std::max(largest, MakeGemmPartition(1, rows, 1, 6, 2048, workers, share, kNarrow).row_block);
        EXPECT_GE(MakeGemmPartition(1, rows, 1, 6, 2048, workers, share, kNarrow).row_capacity, largest)
            << rows;
      }
    }
  }
}

}  // namespace
}  // namespace micrort
