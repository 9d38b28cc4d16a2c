#include "kernels/dwconv/depthwise_f32.h"

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/machine_model.h"
#include "kernels/conv/cost.h"
#include "kernels/dwconv/depthwise_cost.h"
#include "kernels/dwconv/depthwise_partition.h"
#include "kernels/dwconv/dwconv_f32.h"
#include "kernels/dwconv/filter_rows.h"
#include "kernels/elementwise/activate_f32.h"

namespace micrort {
namespace {

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(DwConvF32Kernels(), target.features); }
const DwConvF32Kernel& Kernel(const ConvTarget& target) { return DwConvF32Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr const char* kNames[] = {
#define MICRORT_DWCONV_F32(name, set, mr, lanes, slides) MICRORT_VARIANT(set, "depthwise_f32/" #name)
#include "kernels/dwconv/dwconv_f32.inc"
#undef MICRORT_DWCONV_F32
  };
  return kNames[KernelIndex(target)];
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_float() && p.is_depthwise() && FilterRows<float>::Fits(p, kDepthwiseWidth);
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget&) { return DepthwiseCost(p); }

// Kernels may reach as far as a whole tile does.
FilterRows<float> Rows(const Conv2DParams& p, const ConvPlan& plan) {
  const auto mr = static_cast<int64_t>(VariantOf(DwConvF32Kernels(), plan.kernel).mr);
  return {p, plan.blocks.columns + mr - 1};
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return static_cast<uint64_t>(Rows(p, plan).bytes()) * static_cast<uint64_t>(target.workers);
}

// Panels of a vector of columns, as GEMM's.
MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return PackedBF32Elements(static_cast<uint64_t>(p.taps()), static_cast<uint64_t>(p.out_c),
                            Kernel(target).lanes) *
         sizeof(float);
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  PackBF32(ColumnsFrom(p, weights, 0), static_cast<size_t>(p.taps()), static_cast<size_t>(p.out_c),
           Kernel(target).lanes, static_cast<float*>(packed));
}

// How many pixels a kernel that slides takes at a time at most, 0 for others: enough to pay for a start, few
// enough that all channels of the pixels under them stay in the first-level cache.
int64_t LongestRun(const Conv2DParams& p, const DwConvF32Kernel& kernel, const MachineModel& model) {
  const int64_t fitting = model.slide_elements / p.in_c, shortest = p.kernel_w == 3 ? 8 : 16;
  const int64_t longest = fitting < shortest ? shortest : fitting;
  const bool slides = kernel.slides && p.kernel_h == p.kernel_w && (p.kernel_w == 3 || p.kernel_w == 5) &&
                      (p.stride_w == 1 || p.stride_w == 2);
  return slides ? longest : 0;
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Kernel(target).id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = BlocksOf(MakeDepthwisePartition(p, target.workers));
  plan.blocks.length = BlockSize(LongestRun(p, Kernel(target), MachineModelOf(target.features)));
  return plan;
}

class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const ConvPlan& plan, const ActivateF32& activate,
             const ConvTensors& tensors, const DepthwiseTask& task)
      : p_(p),
        kernel_(VariantOf(DwConvF32Kernels(), plan.kernel)),
        activate_(activate),
        tensors_(tensors),
        task_(task),
        run_(plan.blocks.length == 0 ? 0 : EvenRun(task.columns, plan.blocks.length)) {
    tile_.kernel_h = static_cast<size_t>(p.kernel_h);
    tile_.kernel_w = static_cast<size_t>(p.kernel_w);
    tile_.channels = tile_.y_stride = static_cast<size_t>(p.out_c);
    tile_.w = static_cast<const float*>(tensors.packed);
    tile_.bias = tensors.bias;
    tile_.lo = p.types.activation.lo();
    tile_.hi = p.types.activation.hi();
  }

  void Run(FilterRows<float> rows, void* memory) {
    rows.Reset(memory, task_.first_column, 0.0f);
    tile_.step = rows.column_step();
    for (int64_t row = task_.first_row; row < task_.first_row + task_.rows; ++row) {
      rows.MoveTo(static_cast<const float*>(tensors_.x), row / p_.out_h, row % p_.out_h);
      RunRow(row, &rows);
    }
  }

 private:
  static int64_t EvenRun(int64_t columns, int64_t longest) {
    return CeilDiv(columns, CeilDiv(columns, longest));
  }

  void RunRow(int64_t row, FilterRows<float>* rows) {
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

  void RunTile(int64_t row, int64_t i, int64_t pixels, bool even, FilterRows<float>* rows) {
    const auto* residual = static_cast<const float*>(tensors_.residual);
    const int64_t offset = (row * p_.out_w + task_.first_column + i) * p_.out_c;
    tile_.m = static_cast<size_t>(pixels);
    tile_.columns = rows->Taps(i);
    tile_.even = even;
    tile_.y = static_cast<float*>(tensors_.y) + offset;
    tile_.start = residual == nullptr ? nullptr : residual + offset;
    kernel_.run(tile_);
    activate_(tile_.y, tile_.m, tile_.channels, tile_.y_stride);
  }

  const Conv2DParams& p_;
  const DwConvF32Kernel& kernel_;
  const ActivateF32& activate_;
  const ConvTensors& tensors_;
  const DepthwiseTask& task_;
  const int64_t run_;
  DwConvF32Tile tile_ = {};
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const DepthwisePartition partition = PartitionOf(plan.blocks, p);
  const FilterRows<float> rows = Rows(p, plan);
  const ActivateF32 activate(p.types.activation, plan.activation);
  ParallelFor(parallel, static_cast<size_t>(partition.tasks), [&](size_t index, int worker) {
    const DepthwiseTask task = TaskOf(partition, index);
    void* memory = static_cast<uint8_t*>(tensors.scratch) + rows.bytes() * static_cast<size_t>(worker);
    TaskRunner(p, plan, activate, tensors, task).Run(rows, memory);
  });
}

}  // namespace

const Conv2DAlgorithm kDepthwiseF32 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                       PackedBytes,   Pack,       Run,  true};

}  // namespace micrort
