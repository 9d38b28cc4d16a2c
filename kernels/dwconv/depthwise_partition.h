#pragma once
// How the output of a depthwise convolution is cut into tasks for threads.

#include <cstddef>
#include <cstdint>

#include "kernels/conv/conv2d_algorithm.h"

namespace micrort {

// The largest width of a task: bounds the lists of FilterRows.
constexpr int64_t kDepthwiseWidth = 224;

// Tasks are `height` rows by `width` pixels; rows of one image follow those of the one before.
struct DepthwisePartition {
  int64_t rows, out_w;
  int64_t height, width;
  int64_t row_tasks, column_tasks;
  int64_t tasks;
};

struct DepthwiseTask {
  int64_t first_row, rows;
  int64_t first_column, columns;
};

DepthwisePartition MakeDepthwisePartition(const Conv2DParams& p, int workers);
// That of blocks that are decided, for any number of rows.
DepthwisePartition PartitionOf(const ConvBlocks& blocks, const Conv2DParams& p);
ConvBlocks BlocksOf(const DepthwisePartition& partition);
DepthwiseTask TaskOf(const DepthwisePartition& partition, size_t index);

}  // namespace micrort
