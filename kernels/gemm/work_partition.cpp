#include "kernels/gemm/work_partition.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/machine_model.h"
#include "kernels/base/target.h"
#include "kernels/base/task_sizes.h"

namespace micrort {
namespace {

int64_t Clamp(int64_t x, int64_t lo, int64_t hi) { return x < lo ? lo : x > hi ? hi : x; }

void CountTasks(int64_t groups, GemmPartition* g) {
  g->row_tasks = CeilDiv(g->rows, g->row_block);
  g->panel_tasks = CeilDiv(g->panels, g->panel_block);
  g->tasks = groups * g->row_tasks * g->panel_tasks;
}

}  // namespace

GemmBlockLimit GemmBlockOf(CpuFeatures features, size_t lanes) {
  const MachineModel& model = MachineModelOf(features);
  const bool is_strict = (features & kCpuMicrocontroller) != 0;
  return lanes > 8 ? GemmBlockLimit{model.rows_bytes_16_lanes, model.rows_tiles_16_lanes, is_strict}
                   : GemmBlockLimit{model.rows_bytes, model.rows_tiles, is_strict};
}

GemmPartition MakeGemmPartition(int64_t groups, int64_t rows, int64_t panels, int64_t mr, int64_t depth_bytes,
                                int workers, GemmShare share, const GemmBlockLimit& limit) {
  GemmPartition g = {};
  g.rows = rows;
  g.panels = panels;
  const int64_t tiles = rows == 0 ? 1 : CeilDiv(rows, mr);
  const int64_t fitting = Clamp(limit.bytes / (mr * depth_bytes), 1, limit.tiles);
  // The nearest number of blocks, because a small last one would cost as much streaming as a whole one.
  int64_t blocks = Clamp((tiles + (limit.is_strict ? fitting - 1 : fitting / 2)) / fitting, 1, tiles);
  g.row_capacity = Clamp(fitting + (limit.is_strict ? 0 : fitting / 2), 1, tiles) * mr;
  if (share == GemmShare::kRows) blocks = Clamp(CeilDiv<int64_t>(blocks, workers) * workers, 1, tiles);
  g.row_block = CeilDiv(tiles, blocks) * mr;
  g.panel_block = panels;
  CountTasks(groups, &g);
  const int64_t wanted = workers > 1 ? workers * kTasksPerWorker : 1;
  while (g.tasks > 0 && g.tasks < wanted && (g.panel_block > 1 || g.row_block > mr)) {
    if (g.panel_block > 1) {
      g.panel_block = CeilDiv<int64_t>(g.panel_block, 2);
    } else {
      g.row_block = CeilDiv<int64_t>(g.row_block / mr, 2) * mr;
    }
    CountTasks(groups, &g);
  }
  return g;
}

GemmPartition PartitionOf(const ConvBlocks& blocks, int64_t groups, int64_t rows, int64_t panels) {
  GemmPartition g = {};
  g.rows = rows;
  g.panels = panels;
  g.row_block = blocks.rows;
  g.panel_block = blocks.columns;
  g.row_capacity = blocks.room;
  CountTasks(groups, &g);
  return g;
}

ConvBlocks BlocksOf(const GemmPartition& partition) {
  ConvBlocks blocks;
  blocks.rows = BlockSize(partition.row_block);
  blocks.columns = BlockSize(partition.panel_block);
  blocks.room = BlockSize(partition.row_capacity);
  return blocks;
}

GemmTask TaskOf(const GemmPartition& partition, size_t index) {
  const auto i = static_cast<int64_t>(index);
  const int64_t per_group = partition.row_tasks * partition.panel_tasks;
  GemmTask t = {};
  t.group = i / per_group;
  t.first_row = i % per_group / partition.panel_tasks * partition.row_block;
  t.first_panel = i % partition.panel_tasks * partition.panel_block;
  t.rows = Clamp(partition.rows - t.first_row, 0, partition.row_block);
  t.panels = Clamp(partition.panels - t.first_panel, 0, partition.panel_block);
  return t;
}

}  // namespace micrort
