#pragma once
// How the output of a matrix product is cut into tasks for threads and blocks for caches.

#include <cstddef>
#include <cstdint>

#include "kernels/base/conv_plan.h"
#include "kernels/base/cpu_features.h"

namespace micrort {

// A task computes `row_block` rows (a multiple of mr) by `panel_block` panels of nr columns, in one of
// `groups` independent products of the same size.
struct GemmPartition {
  int64_t rows, panels;
  int64_t row_block, panel_block;
  int64_t row_tasks, panel_tasks;
  int64_t tasks;
  int64_t row_capacity;  // the largest row_block of a product of up to so many rows
};

struct GemmTask {
  int64_t group;
  int64_t first_row, rows;
  int64_t first_panel, panels;
};

// What the rows of one block take: they stay in the second-level cache while all panels pass by.
struct GemmBlockLimit {
  int64_t bytes, tiles;
  bool is_strict = false;  // no block is larger, where memory counts more than time; else one may be by half
};
// `lanes`: floats of one vector, or fewer. Wide vectors read panels so fast that these must come from that
// cache too, for more rows at a time.
GemmBlockLimit GemmBlockOf(CpuFeatures features, size_t lanes);

// What several workers should have to themselves: rows, and read all panels, or panels, and read all rows.
enum class GemmShare { kRows, kPanels };

// That of blocks that are decided, for any number of rows.
GemmPartition PartitionOf(const ConvBlocks& blocks, int64_t groups, int64_t rows, int64_t panels);
ConvBlocks BlocksOf(const GemmPartition& partition);

// `depth_bytes`: of one row of the left matrix, as much of it as is used at a time. Neighbouring tasks, which
// one worker gets, have the same rows.
GemmPartition MakeGemmPartition(int64_t groups, int64_t rows, int64_t panels, int64_t mr, int64_t depth_bytes,
                                int workers, GemmShare share, const GemmBlockLimit& limit);
GemmTask TaskOf(const GemmPartition& partition, size_t index);

}  // namespace micrort
