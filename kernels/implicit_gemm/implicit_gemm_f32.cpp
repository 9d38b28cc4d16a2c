#include "kernels/implicit_gemm/implicit_gemm_f32.h"

#include <cmath>
#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/part.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/gemm/depth_blocks.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/gemm_f32_rows.h"
#include "kernels/gemm/half_row_f32.h"
#include "kernels/gemm/packed_b.h"
#include "kernels/implicit_gemm/active_taps.h"
#include "kernels/implicit_gemm/gemm_f32_panels.h"
#include "kernels/implicit_gemm/indirection_buffer.h"
#include "kernels/implicit_gemm/pixel_runs.h"

namespace micrort {

// Of narrow panels.
MICRORT_PART(SelectDequantizeWeights);
MICRORT_PART(SelectConvertF32);
MICRORT_PART(HalfRowF32Of);

namespace {

// Depth of one block of the sum: a panel of B this deep stays in the first-level cache. Half of it for floats
// that were just dequantized, so that writing and reading them stays in that cache.
int64_t DepthBlockOf(Panels panels, const ConvTarget& target) {
  const int64_t depth = MachineModelOf(target.features).panel_depth;
  return panels == Panels::kFloat ? depth : depth / 2;
}

size_t KernelIndex(const Conv2DParams& p, const ConvTarget& target) {
  return SelectGemmF32(target.features, static_cast<size_t>(p.group_columns()));
}
const GemmF32Kernel& Kernel(const Conv2DParams& p, const ConvTarget& target) {
  return GemmF32Kernels()[KernelIndex(p, target)];
}

GemmPartition Partition(const Conv2DParams& p, const ConvTarget& target, Panels panels) {
  const GemmF32Kernel& kernel = Kernel(p, target);
  const int64_t depth_block = DepthBlockOf(panels, target);
  const int64_t depth = p.depth() < depth_block ? p.depth() : depth_block;
  return MakeGemmPartition(p.groups, p.rows(), CeilDiv(p.group_columns(), static_cast<int64_t>(kernel.nr)),
                           static_cast<int64_t>(kernel.mr), depth * static_cast<int64_t>(sizeof(float)),
                           target.workers, ShareOf(p), GemmBlockOf(target.features, kernel.lanes));
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target, Panels panels) {
  const GemmF32Kernel& kernel = Kernel(p, target);
  ConvPlan plan;
  plan.kernel = kernel.id;
  if (panels == Panels::kNarrow) {
    plan.dequantize = SelectDequantizeWeights(target.features, kernel.nr).id;
    plan.convert = SelectConvertF32(target.features).id;
  }
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = BlocksOf(Partition(p, target, panels));
  plan.blocks.length = BlockSize(DepthBlockOf(panels, target));
  return plan;
}

PackedB WeightsOf(const Conv2DParams& p, Panels panels, const GemmF32Kernel& kernel, const ConvPlan& plan) {
  return {panels == Panels::kFloat ? DType::kFloat32 : p.types.weights,
          static_cast<size_t>(p.depth()),
          kernel.nr,
          plan.dequantize,
          plan.convert,
          p.types.half_scales};
}

// Sizes of one layer.
struct Sizes {
  const GemmF32Kernel& kernel;
  const Depth depth, block;
  const PackedB weights;
  const GemmPartition partition;
  const IndirectionScratch<float> pointers;
  const size_t copy_elements;  // of pixels at the edge of the image
  const size_t dequantized_elements;
  const uint64_t group_bytes;   // of packed weights
  const bool streams_rows;      // no cache near the core holds the left-hand side
  const HalfRowF32Fn half_row;  // of one row by halves, which stay halves; null: it is no such layer

  Sizes(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, Panels panels)
      : kernel(VariantOf(GemmF32Kernels(), plan.kernel)),
        depth(DepthOf(p)),
        block(BlockOf(depth, plan.blocks.length)),
        weights(WeightsOf(p, panels, kernel, plan)),
        partition(PartitionOf(plan.blocks, p.groups, p.rows(),
                              CeilDiv(p.group_columns(), static_cast<int64_t>(kernel.nr)))),
        pointers(p, target, depth.channels, partition),
        copy_elements(
            ReadsRuns(p) ? AlignUp(static_cast<size_t>(partition.row_capacity * p.depth()), kAlignment) : 0),
        dequantized_elements(
            AlignUp(weights.scratch_elements(static_cast<size_t>(block.taps * block.channels)), kAlignment)),
        group_bytes(weights.bytes(static_cast<size_t>(p.group_columns()))),
        streams_rows(p.rows() * p.in_c * static_cast<int64_t>(sizeof(float)) >
                     MachineModelOf(target.features).streamed_rows_bytes),
        half_row(panels == Panels::kNarrow ? HalfRowF32For(p, kernel) : nullptr) {}

  // Behind the pointers of all workers, each has copied pixels and dequantized weights.
  size_t worker_elements() const { return copy_elements + dequantized_elements; }
  uint64_t scratch_bytes(int workers) const {
    return pointers.bytes(workers) + worker_elements() * sizeof(float) * static_cast<uint64_t>(workers);
  }
};

// One task of the partition: all tiles of its block.
class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const Sizes& plan, const ActivateF32& activate,
             const ConvTensors& tensors, const GemmTask& task)
      : p_(p),
        plan_(plan),
        kernel_(plan.kernel),
        activate_(activate),
        tensors_(tensors),
        task_(task),
        y_stride_(PixelStride(p, tensors)),
        depth_(p.depth()),
        columns_(p.group_columns()),
        panel_step_(CeilDiv(kernel_.nr, CeilDiv(static_cast<size_t>(task.rows), kernel_.mr))) {
    panels_ =
        static_cast<const uint8_t*>(tensors.packed) + static_cast<uint64_t>(task.group) * plan.group_bytes;
  }

  void Run(const float* padding, const float** pointers, float* copies) {
    const auto* x = static_cast<const float*>(tensors_.x);
    padding_ = padding;
    if (ReadsRuns(p_)) {
      FillIndirectionOfRuns(p_, x, padding, task_.first_row, task_.rows, kernel_.mr, pointers, copies);
    } else {
      FillIndirection(p_, x, padding, task_.group, task_.first_row, task_.rows, kernel_.mr, pointers);
    }
    pointers_ = pointers;
    dequantized_ = copies + plan_.copy_elements;
    ForEachDepthBlock(plan_.depth, plan_.block, [&](const DepthBlock& block) { RunBlock(block); });
    Activate();
  }

 private:
  void RunBlock(const DepthBlock& block) {
    for (int64_t done = 0, panels = 0; done < task_.panels; done += panels) {
      panels = PanelsAtATime(done);
      RunPanels(block, task_.first_panel + done, panels);
    }
  }

  // One row takes several panels, if they are whole and read as they are.
  int64_t PanelsAtATime(int64_t done) const {
    const auto panels = static_cast<int64_t>(GemmF32RowPanels(kernel_));
    const int64_t end = done + panels;
    const bool whole =
        end <= task_.panels && (task_.first_panel + end) * static_cast<int64_t>(kernel_.nr) <= columns_;
    const bool as_they_are = plan_.dequantized_elements == 0 || plan_.half_row != nullptr;
    return task_.rows == 1 && whole && as_they_are ? panels : 1;
  }

  void RunPanels(const DepthBlock& block, int64_t panel, int64_t panels) {
    const auto nr = static_cast<int64_t>(kernel_.nr), mr = static_cast<int64_t>(kernel_.mr);
    const int64_t column = panel * nr;
    const int64_t columns = columns_ - column;
    GemmF32Tile tile = {};
    tile.n = static_cast<size_t>(columns < panels * nr ? columns : panels * nr);
    tile.panel_stride = static_cast<size_t>(depth_ * nr);
    tile.taps = static_cast<size_t>(block.taps);
    tile.channels = static_cast<size_t>(block.channels);
    tile.a_offset = static_cast<size_t>(block.first_channel);
    const uint8_t* const weights = panels_ + static_cast<uint64_t>(panel) * plan_.weights.panel_bytes();
    const auto first = static_cast<size_t>(block.first_tap * plan_.depth.channels + block.first_channel);
    if (plan_.half_row == nullptr)
      tile.b = plan_.weights.Block(weights, first, tile.taps * tile.channels, dequantized_);
    tile.c_stride = tile.start_stride = static_cast<size_t>(y_stride_);
    FetchAhead(block, panel, &tile);
    const int64_t y_column = task_.group * columns_ + column;
    const int64_t offset = task_.first_row * y_stride_ + y_column;
    tile.m = static_cast<size_t>(task_.rows);
    tile.a = pointers_ + block.first_tap * mr;
    tile.a_step = static_cast<size_t>(mr) * static_cast<size_t>(plan_.depth.taps);
    tile.c = static_cast<float*>(tensors_.y) + offset;
    if (LeavesOutTaps(p_) && plan_.half_row == nullptr) return RunTilesWithoutPadding(block, y_column, tile);
    SetEnds(block.first, block.last, y_column, &tile);
    if (plan_.half_row == nullptr) return RunGemmF32Rows(kernel_, &tile);
    plan_.half_row(tile, reinterpret_cast<const uint16_t*>(weights) + first * kernel_.nr);
  }

  // Where the sum begins, and what ends it.
  void SetEnds(bool first, bool last, int64_t y_column, GemmF32Tile* tile) const {
    const int64_t offset = tile->c - static_cast<float*>(tensors_.y);
    const auto* residual = static_cast<const float*>(tensors_.residual);
    tile->start = first ? residual == nullptr ? nullptr : residual + offset : tile->c;
    tile->lo = last ? p_.types.activation.lo() : -std::numeric_limits<float>::infinity();
    tile->hi = last ? p_.types.activation.hi() : std::numeric_limits<float>::infinity();
    tile->bias = last && tensors_.bias != nullptr ? tensors_.bias + y_column : nullptr;
  }

  // Taps of a dilated filter are so far apart that some lie outside of the image for all rows of a tile.
  void RunTilesWithoutPadding(const DepthBlock& block, int64_t y_column, GemmF32Tile tile) const {
    const size_t mr = kernel_.mr, rows = tile.m;
    const float* const b = tile.b;
    tile.next = nullptr;
    const float* const* pointers = pointers_;
    for (size_t done = 0; done < rows; done += mr, pointers += tile.a_step, tile.c += mr * tile.c_stride) {
      tile.m = rows - done < mr ? rows - done : mr;
      const ActiveTaps active(pointers, static_cast<size_t>(plan_.depth.taps), mr, padding_);
      const auto begin = static_cast<size_t>(block.first_tap);
      const size_t end = begin + static_cast<size_t>(block.taps);
      for (size_t tap = active.Next(begin); tap < end; tap = active.Next(tap + tile.taps)) {
        tile.taps = active.RunFrom(tap, end);
        tile.a = pointers + tap * mr;
        tile.b = b + (tap - begin) * tile.channels * kernel_.nr;
        const bool ends_depth = block.first_channel + block.channels == plan_.depth.channels;
        SetEnds(tap == active.first() && block.first_channel == 0,
                tap + tile.taps == active.end() && ends_depth, y_column, &tile);
        kernel_.run(tile);
      }
    }
  }

  // While a panel is multiplied by one tile of rows after another, the next panel comes in, if it is floats,
  // and after the last one the first of the next block of the depth; while it is the first one, the next
  // tile's rows, if they are many and side by side.
  void FetchAhead(const DepthBlock& block, int64_t panel, GemmF32Tile* tile) const {
    const auto nr = static_cast<int64_t>(kernel_.nr), mr = static_cast<int64_t>(kernel_.mr);
    const bool side_by_side = p_.is_pointwise() && block.channels == p_.in_c;
    if (panel == task_.first_panel && side_by_side && plan_.streams_rows) {
      tile->next = static_cast<const float*>(tensors_.x) + (task_.first_row + mr) * p_.in_c;
      tile->next_step = kernel_.mr;
    } else if (plan_.dequantized_elements == 0) {
      const bool last_panel = panel + 1 == task_.first_panel + task_.panels;
      if (last_panel && block.last) return;
      const int64_t ahead = last_panel ? block.taps * block.channels - (task_.panels - 1) * depth_ : depth_;
      tile->next = tile->b + ahead * nr;
      tile->next_step = panel_step_;
    }
  }

  // Over long rows: tiles are so narrow that every call would wait for its last operations.
  void Activate() const {
    const auto nr = static_cast<int64_t>(kernel_.nr);
    const int64_t first = task_.first_panel * nr, left = columns_ - first;
    const int64_t columns = left < task_.panels * nr ? left : task_.panels * nr;
    const int64_t channel = task_.group * columns_ + first;
    float* y = static_cast<float*>(tensors_.y) + task_.first_row * y_stride_ + channel;
    activate_(y, static_cast<size_t>(task_.rows), static_cast<size_t>(columns),
              static_cast<size_t>(y_stride_), static_cast<size_t>(channel));
  }

  const Conv2DParams& p_;
  const Sizes& plan_;
  const GemmF32Kernel& kernel_;
  const ActivateF32& activate_;
  const ConvTensors& tensors_;
  const GemmTask& task_;
  const int64_t y_stride_;
  // Worked out once for all panels: 64-bit divisions are long on 32-bit CPUs.
  const int64_t depth_, columns_;
  const size_t panel_step_;  // of the next panel, so many elements with each step of the depth of each tile
  const float* const* pointers_ = nullptr;
  const float* padding_ = nullptr;
  float* dequantized_ = nullptr;
  const uint8_t* panels_;
};

}  // namespace

size_t GemmF32KernelIndex(const Conv2DParams& p, const ConvTarget& target) { return KernelIndex(p, target); }

HalfRowF32Fn HalfRowF32For(const Conv2DParams& p, const GemmF32Kernel& kernel) {
  const bool is_row = p.types.weights == DType::kFloat16 && p.rows() == 1;
  return is_row ? HalfRowF32Of(kernel) : nullptr;
}

MICRORT_COLD GemmPartition GemmF32PartitionOf(const Conv2DParams& p, const ConvTarget& target,
                                              Panels panels) {
  return Partition(p, target, panels);
}

MICRORT_COLD double GemmF32Cost(const Conv2DParams& p, const ConvTarget& target, Panels panels) {
  return TiledCost(static_cast<double>(p.groups), p.rows(), p.group_columns(), p.depth(), Kernel(p, target)) +
         WeightTrafficCost(p, target, static_cast<double>(GemmF32PackedBytes(p, target, panels)));
}

MICRORT_COLD ConvPlan PlanGemmF32(const Conv2DParams& p, const ConvTarget& target, Panels panels) {
  return MakePlan(p, target, panels);
}

MICRORT_COLD uint64_t GemmF32ScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                          const ConvPlan& plan, Panels panels) {
  return Sizes(p, target, plan, panels).scratch_bytes(target.workers);
}

MICRORT_COLD uint64_t GemmF32PackedBytes(const Conv2DParams& p, const ConvTarget& target, Panels panels) {
  return static_cast<uint64_t>(p.groups) *
         WeightsOf(p, panels, Kernel(p, target), {}).bytes(static_cast<size_t>(p.group_columns()));
}

void PackGemmF32(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, Panels panels,
                 void* packed) {
  const PackedB matrix = WeightsOf(p, panels, Kernel(p, target), {});
  auto* out = static_cast<uint8_t*>(packed);
  const int64_t columns = p.group_columns();
  for (int64_t g = 0; g < p.groups; ++g, out += matrix.bytes(static_cast<size_t>(columns))) {
    matrix.Pack(ColumnsFrom(p, weights, g * columns), static_cast<size_t>(columns), out);
  }
}

void RunGemmF32(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& of_layer,
                const ConvTensors& tensors, const Parallel& parallel, Panels panels) {
  const Sizes plan(p, target, of_layer, panels);
  const ActivateF32 activate(p.types.activation, of_layer.activation, tensors.slopes);
  auto* floats =
      reinterpret_cast<float*>(static_cast<uint8_t*>(tensors.scratch) + plan.pointers.bytes(target.workers));
  ParallelFor(parallel, static_cast<size_t>(plan.partition.tasks), [&](size_t index, int worker) {
    const GemmTask task = TaskOf(plan.partition, index);
    const float* padding = plan.pointers.FillPadding(tensors.scratch, worker, 0.0f);
    TaskRunner(p, plan, activate, tensors, task)
        .Run(padding, plan.pointers.pointers(tensors.scratch, worker),
             floats + plan.worker_elements() * static_cast<size_t>(worker));
  });
}

namespace {

MICRORT_COLD bool Applicable(const Conv2DParams& p) { return p.types.is_float(); }

}  // namespace

const Conv2DAlgorithm kImplicitGemmF32 = PanelsGemmF32<Panels::kFloat>::Algorithm(Applicable);

}  // namespace micrort
