#include "kernels/implicit_gemm/implicit_gemm_f16.h"

#include <limits>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/elementwise/convert_f32.h"
#include "kernels/gemm/gemm_f16.h"
#include "kernels/gemm/packed_b.h"
#include "kernels/implicit_gemm/depth_blocks.h"
#include "kernels/implicit_gemm/indirection_buffer.h"

#if MICRORT_KERNELS_fp16

namespace micrort {
namespace {

const GemmF16Kernel& Kernel(CpuFeatures features) {
  return GemmF16Kernels()[SelectVariant(GemmF16Kernels(), features)];
}

MICRORT_COLD const char* Name(const Conv2DParams&, const ConvTarget& target) {
  static constexpr const char* kNames[] = {
#define MICRORT_GEMM_F16(name, set, mr, nr, lanes) MICRORT_VARIANT(set, "implicit_gemm_f16/" #name)
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16
  };
  return kNames[SelectVariant(GemmF16Kernels(), target.features)];
}

// Few channels would be loaded one by one.
MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  constexpr int64_t kFewChannels = 8;
  return p.types.half && p.types.is_float() && p.types.weights == DType::kFloat16 &&
         p.group_channels() >= kFewChannels;
}

PackedB WeightsOf(const Conv2DParams& p, const GemmF16Kernel& kernel) {
  return {DType::kFloat16, static_cast<size_t>(p.depth()), kernel.nr};
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return static_cast<uint64_t>(p.groups) *
         WeightsOf(p, Kernel(target.features)).bytes(static_cast<size_t>(p.group_columns()));
}

MICRORT_COLD void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights,
                       void* packed) {
  const PackedB panels = WeightsOf(p, Kernel(target.features));
  auto* out = static_cast<uint8_t*>(packed);
  const int64_t columns = p.group_columns();
  for (int64_t g = 0; g < p.groups; ++g, out += panels.bytes(static_cast<size_t>(columns))) {
    panels.Pack(ColumnsFrom(p, weights, g * columns), static_cast<size_t>(columns), out);
  }
}

// In instructions, of which one is two multiply-adds of four floats: what an element of x and a sum of an
// output take beside the products.
MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  constexpr double kConvertCost = 7, kSumCost = 10;
  const GemmF16Kernel& kernel = Kernel(target.features);
  const auto x = static_cast<double>(p.batch * p.in_h * p.in_w * p.in_c);
  const auto sums = static_cast<double>(p.rows() * p.out_c * CeilDiv(p.depth(), kHalfDepth));
  return TiledCost(static_cast<double>(p.groups), p.rows(), p.group_columns(), p.depth(), kernel.mr,
                   kernel.nr / 2, kernel.lanes) +
         kConvertCost * x + kSumCost * sums +
         WeightTrafficCost(p, target, static_cast<double>(PackedBytes(p, target)));
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  const GemmF16Kernel& kernel = Kernel(target.features);
  const int64_t depth = p.depth() < kHalfDepth ? p.depth() : kHalfDepth;
  ConvPlan plan;
  plan.kernel = kernel.id;
  plan.convert = SelectConvertF32(target.features).id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = BlocksOf(
      MakeGemmPartition(p.groups, p.rows(), CeilDiv(p.group_columns(), static_cast<int64_t>(kernel.nr)),
                        static_cast<int64_t>(kernel.mr), depth * static_cast<int64_t>(sizeof(uint16_t)),
                        target.workers, ShareOf(p), GemmBlockOf(target.features, kernel.lanes)));
  return plan;
}

// Sizes of one layer. Scratch holds x, and behind it pointers of all workers.
struct Sizes {
  const GemmF16Kernel& kernel;
  const Depth depth, block;
  const GemmPartition partition;
  const IndirectionScratch<uint16_t> pointers;
  const uint64_t x_elements, x_bytes;
  const uint64_t panel_bytes, group_bytes;  // of packed weights

  Sizes(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan)
      : kernel(VariantOf(GemmF16Kernels(), plan.kernel)),
        depth{p.taps(), p.group_channels()},
        block(BlockOf(depth, kHalfDepth)),
        partition(PartitionOf(plan.blocks, p.groups, p.rows(),
                              CeilDiv(p.group_columns(), static_cast<int64_t>(kernel.nr)))),
        pointers(p, target, depth.channels, partition),
        x_elements(static_cast<uint64_t>(p.batch * p.in_h * p.in_w * p.in_c)),
        x_bytes(CeilDiv<uint64_t>(x_elements * sizeof(uint16_t), kAlignment) * kAlignment),
        panel_bytes(WeightsOf(p, kernel).panel_bytes()),
        group_bytes(WeightsOf(p, kernel).bytes(static_cast<size_t>(p.group_columns()))) {}
};

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  const Sizes sizes(p, target, plan);
  return sizes.x_bytes + sizes.pointers.bytes(target.workers);
}

// Only where the micro-kernels are built; others decide for such devices.
#if MICRORT_KERNELS_fp16 == 1

// One task of the partition: all tiles of its block.
class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const Sizes& sizes, const ConvTensors& tensors, const GemmTask& task)
      : p_(p), sizes_(sizes), tensors_(tensors), task_(task), y_stride_(PixelStride(p, tensors)) {}

  void Run(const uint16_t* x, const uint16_t* padding, const uint16_t** pointers) {
    FillIndirection(p_, x, padding, task_.group, task_.first_row, task_.rows, sizes_.kernel.mr, pointers);
    ForEachDepthBlock(sizes_.depth, sizes_.block, [&](const DepthBlock& block) {
      for (int64_t panel = 0; panel < task_.panels; ++panel)
        RunPanel(block, task_.first_panel + panel, pointers);
    });
  }

  // Over long rows, as tiles are narrow.
  void Activate(const ActivateF32& activate) const {
    const auto nr = static_cast<int64_t>(sizes_.kernel.nr);
    const int64_t first = task_.first_panel * nr, left = p_.group_columns() - first;
    const int64_t columns = left < task_.panels * nr ? left : task_.panels * nr;
    float* y = static_cast<float*>(tensors_.y) + task_.first_row * y_stride_ +
               task_.group * p_.group_columns() + first;
    activate(y, static_cast<size_t>(task_.rows), static_cast<size_t>(columns),
             static_cast<size_t>(y_stride_));
  }

 private:
  const uint16_t* PanelAt(const DepthBlock& block, int64_t panel) const {
    const auto* packed = static_cast<const uint8_t*>(tensors_.packed) +
                         static_cast<uint64_t>(task_.group) * sizes_.group_bytes +
                         static_cast<uint64_t>(panel) * sizes_.panel_bytes;
    const int64_t first = block.first_tap * sizes_.depth.channels + block.first_channel;
    return reinterpret_cast<const uint16_t*>(packed) + static_cast<size_t>(first) * sizes_.kernel.nr;
  }

  void RunPanel(const DepthBlock& block, int64_t panel, const uint16_t* const* pointers) const {
    const auto nr = static_cast<int64_t>(sizes_.kernel.nr), mr = static_cast<int64_t>(sizes_.kernel.mr);
    const int64_t columns = p_.group_columns() - panel * nr;
    const int64_t y_column = task_.group * p_.group_columns() + panel * nr;
    const auto* residual = static_cast<const float*>(tensors_.residual);
    GemmF16Tile tile = {};
    tile.n = static_cast<size_t>(columns < nr ? columns : nr);
    tile.taps = static_cast<size_t>(block.taps);
    tile.channels = static_cast<size_t>(block.channels);
    tile.a_offset = static_cast<size_t>(block.first_channel);
    tile.b = PanelAt(block, panel);
    tile.c_stride = tile.start_stride = static_cast<size_t>(y_stride_);
    tile.lo = block.last ? p_.types.activation.lo() : -std::numeric_limits<float>::infinity();
    tile.hi = block.last ? p_.types.activation.hi() : std::numeric_limits<float>::infinity();
    if (block.last && tensors_.bias != nullptr) tile.bias = tensors_.bias + y_column;
    for (int64_t row = 0; row < task_.rows; row += mr) {
      const int64_t offset = (task_.first_row + row) * y_stride_ + y_column;
      tile.m = static_cast<size_t>(task_.rows - row < mr ? task_.rows - row : mr);
      tile.a = pointers + row * sizes_.depth.taps + block.first_tap * mr;
      tile.c = static_cast<float*>(tensors_.y) + offset;
      tile.start = block.first ? residual == nullptr ? nullptr : residual + offset : tile.c;
      sizes_.kernel.run(tile);
    }
  }

  const Conv2DParams& p_;
  const Sizes& sizes_;
  const ConvTensors& tensors_;
  const GemmTask& task_;
  const int64_t y_stride_;
};

void MakeHalves(const ConvertF32Kernel& convert, const float* x, size_t n, uint16_t* halves,
                const Parallel& parallel) {
  ParallelFor(parallel, CeilDiv<size_t>(n, kTaskElements), [&](size_t tile, int) {
    const size_t first = tile * kTaskElements, left = n - first;
    convert.to_half(x + first, halves + first, left < kTaskElements ? left : kTaskElements);
  });
}

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const Sizes sizes(p, target, plan);
  const ActivateF32 activate(p.types.activation, plan.activation);
  auto* x = static_cast<uint16_t*>(tensors.scratch);
  MakeHalves(VariantOf(ConvertF32Kernels(), plan.convert), static_cast<const float*>(tensors.x),
             static_cast<size_t>(sizes.x_elements), x, parallel);
  auto* workers = static_cast<uint8_t*>(tensors.scratch) + sizes.x_bytes;
  ParallelFor(parallel, static_cast<size_t>(sizes.partition.tasks), [&](size_t index, int worker) {
    const GemmTask task = TaskOf(sizes.partition, index);
    TaskRunner runner(p, sizes, tensors, task);
    runner.Run(x, sizes.pointers.FillPadding(workers, worker, 0), sizes.pointers.pointers(workers, worker));
    runner.Activate(activate);
  });
}

#endif

}  // namespace

const Conv2DAlgorithm kImplicitGemmF16 = {Name,           Applicable,  Cost,     MakePlan,
                                          ScratchBytesOf, PackedBytes, Pack,     MICRORT_RUN(fp16, Run),
                                          true,           true,        isa::fp16};

}  // namespace micrort

#endif
