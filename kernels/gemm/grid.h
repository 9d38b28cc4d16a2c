#pragma once
// How the output of a matrix product is cut into tasks for threads and blocks for caches.

#include <cstddef>
#include <cstdint>

namespace micrort {

// A task computes `row_block` rows (a multiple of mr) by `panel_block` panels of nr columns, in one of
// `groups` independent products of the same size.
struct GemmGrid {
  int64_t rows, panels;
  int64_t row_block, panel_block;
  int64_t row_tasks, panel_tasks;
  int64_t tasks;
};

struct GemmTask {
  int64_t group;
  int64_t first_row, rows;
  int64_t first_panel, panels;
};

// `depth_bytes`: of one row of the left matrix, as much of it as is used at a time.
GemmGrid MakeGemmGrid(int64_t groups, int64_t rows, int64_t panels, int64_t mr, int64_t depth_bytes,
                      int workers);
GemmTask TaskOf(const GemmGrid& grid, size_t index);

}  // namespace micrort
