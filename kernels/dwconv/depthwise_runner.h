#pragma once
// One task of a depthwise convolution of floats or halves: tile after tile of each of its rows.

#include "kernels/dwconv/depthwise_partition.h"
#include "kernels/dwconv/dwconv_tile.h"
#include "kernels/dwconv/filter_rows.h"

namespace micrort {

// Kernel: DwConvF32Kernel or DwConvF16Kernel. Activate: ActivateF32 or ActivateF16.
template <typename T, typename Kernel, typename Activate>
class DepthwiseRunner {
 public:
  // `longest_run`: of pixels that a kernel slides over at a time, 0 for others.
  DepthwiseRunner(const Conv2DParams& p, const Kernel& kernel, int64_t longest_run, const Activate& activate,
                  const ConvTensors& tensors, const DepthwiseTask& task)
      : p_(p),
        kernel_(kernel),
        activate_(activate),
        tensors_(tensors),
        task_(task),
        run_(longest_run == 0 ? 0 : EvenRun(task.columns, longest_run)) {
    tile_.kernel_h = static_cast<size_t>(p.kernel_h);
    tile_.kernel_w = static_cast<size_t>(p.kernel_w);
    tile_.channels = tile_.y_stride = static_cast<size_t>(p.out_c);
    tile_.w = static_cast<const T*>(tensors.packed);
    tile_.bias = tensors.bias;
    tile_.lo = p.types.activation.lo();
    tile_.hi = p.types.activation.hi();
  }

  void Run(FilterRows<T> rows, void* memory) {
    rows.Reset(memory, task_.first_column, T{0});
    tile_.step = rows.column_step();
    for (int64_t row = task_.first_row; row < task_.first_row + task_.rows; ++row) {
      rows.MoveTo(static_cast<const T*>(tensors_.x), row / p_.out_h, row % p_.out_h);
      RunRow(row, &rows);
    }
  }

 private:
  static int64_t EvenRun(int64_t columns, int64_t longest) {
    return CeilDiv(columns, CeilDiv(columns, longest));
  }

  void RunRow(int64_t row, FilterRows<T>* rows) {
    const auto mr = static_cast<int64_t>(kernel_.mr);
    // The last tile reaches back over pixels of the one before, rather than out of the image, unless sums
    // start from these.
    const bool overlaps = task_.columns >= mr && tensors_.residual != tensors_.y;
    for (int64_t next = 0; next < task_.columns; next += static_cast<int64_t>(tile_.m)) {
      const int64_t left = task_.columns - next, run = left < run_ ? left : run_;
      if (run > 0 && rows->Even(next, run)) {
        RunTile(row, next, run, true, rows);
        continue;
      }
      const int64_t i = left < mr && overlaps ? task_.columns - mr : next;
      RunTile(row, i, task_.columns - i < mr ? task_.columns - i : mr, rows->Even(i, mr), rows);
    }
  }

  void RunTile(int64_t row, int64_t i, int64_t pixels, bool even, FilterRows<T>* rows) {
    const auto* residual = static_cast<const T*>(tensors_.residual);
    const int64_t offset = (row * p_.out_w + task_.first_column + i) * p_.out_c;
    tile_.m = static_cast<size_t>(pixels);
    tile_.columns = rows->Taps(i);
    tile_.even = even;
    tile_.y = static_cast<T*>(tensors_.y) + offset;
    tile_.start = residual == nullptr ? nullptr : residual + offset;
    kernel_.run(tile_);
    activate_(tile_.y, tile_.m, tile_.channels, tile_.y_stride, 0);
  }

  const Conv2DParams& p_;
  const Kernel& kernel_;
  const Activate& activate_;
  const ConvTensors& tensors_;
  const DepthwiseTask& task_;
  const int64_t run_;
  DwConvTile<T> tile_ = {};
};

// All tasks of a layer. `rows`: what each worker lists, in scratch.
template <typename T, typename Kernel, typename Activate>
void RunDepthwise(const Conv2DParams& p, const ConvPlan& plan, const Kernel& kernel, const Activate& activate,
                  const FilterRows<T>& rows, const ConvTensors& tensors, const Parallel& parallel) {
  const DepthwisePartition partition = PartitionOf(plan.blocks, p);
  ParallelFor(parallel, static_cast<size_t>(partition.tasks), [&](size_t index, int worker) {
    const DepthwiseTask task = TaskOf(partition, index);
    void* memory = static_cast<uint8_t*>(tensors.scratch) + rows.bytes() * static_cast<size_t>(worker);
    DepthwiseRunner<T, Kernel, Activate>(p, kernel, plan.blocks.length, activate, tensors, task)
        .Run(rows, memory);
  });
}

}  // namespace micrort
