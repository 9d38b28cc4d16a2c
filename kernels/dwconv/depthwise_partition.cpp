#include "kernels/dwconv/depthwise_partition.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/task_sizes.h"

namespace micrort {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }

void CountTasks(DepthwisePartition* g) {
  g->row_tasks = CeilDiv(g->rows, g->height);
  g->column_tasks = CeilDiv(g->out_w, g->width);
  g->tasks = g->row_tasks * g->column_tasks;
}

}  // namespace

DepthwisePartition MakeDepthwisePartition(const Conv2DParams& p, int workers) {
  DepthwisePartition g = {};
  g.rows = p.batch * p.out_h;
  g.out_w = p.out_w;
  g.width = p.out_w == 0 ? 1 : CeilDiv(p.out_w, CeilDiv(p.out_w, kDepthwiseWidth));
  g.height = g.rows == 0 ? 1 : g.rows;
  CountTasks(&g);
  const int64_t wanted = workers > 1 ? workers * kTasksPerWorker : 1;
  while (g.tasks > 0 && g.tasks < wanted && g.height > 1) {
    g.height = CeilDiv<int64_t>(g.height, 2);
    CountTasks(&g);
  }
  return g;
}

DepthwisePartition PartitionOf(const ConvBlocks& blocks, const Conv2DParams& p) {
  DepthwisePartition g = {};
  g.rows = p.batch * p.out_h;
  g.out_w = p.out_w;
  g.width = blocks.columns;
  g.height = blocks.rows;
  CountTasks(&g);
  return g;
}

ConvBlocks BlocksOf(const DepthwisePartition& partition) {
  ConvBlocks blocks;
  blocks.rows = BlockSize(partition.height);
  blocks.columns = BlockSize(partition.width);
  return blocks;
}

DepthwiseTask TaskOf(const DepthwisePartition& g, size_t index) {
  const auto i = static_cast<int64_t>(index);
  DepthwiseTask t = {};
  t.first_column = i % g.column_tasks * g.width;
  t.first_row = i / g.column_tasks * g.height;
  t.rows = Min(g.height, g.rows - t.first_row);
  t.columns = Min(g.width, g.out_w - t.first_column);
  return t;
}

}  // namespace micrort
