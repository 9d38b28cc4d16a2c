#include "kernels/grouped_conv/grouped_conv_f32.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/conv/read_weight.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/grouped_conv/grouped_f32.h"
#include "kernels/implicit_gemm/indirection_buffer.h"

#if MICRORT_KERNELS_avx2

namespace micrort {
namespace {

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(GroupedF32Kernels(), target.features); }
const GroupedF32Kernel& Kernel(const ConvTarget& target) { return GroupedF32Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GROUPED_F32(name, set, ...) MICRORT_VARIANT(set, {"grouped_conv_f32/" #name, isa::set})
#include "kernels/grouped_conv/grouped_f32.inc"
#undef MICRORT_GROUPED_F32
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

// Vectors of all micro-kernels are full.
MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  constexpr int64_t kMostLanes = 16;
  return p.types.is_float() && p.types.weights == DType::kFloat32 && !p.transposed && p.groups > 1 &&
         (p.group_channels() == 4 || p.group_channels() == 8) && p.group_channels() == p.group_columns() &&
         p.out_c % kMostLanes == 0;
}

int64_t Panels(const Conv2DParams& p, const GroupedF32Kernel& kernel) {
  return p.out_c / static_cast<int64_t>(kernel.nr);
}

GemmPartition Partition(const Conv2DParams& p, const ConvTarget& target) {
  const GroupedF32Kernel& kernel = Kernel(target);
  return MakeGemmPartition(1, p.rows(), Panels(p, kernel), static_cast<int64_t>(kernel.mr),
                           p.in_c * static_cast<int64_t>(sizeof(float)), target.workers, GemmShare::kRows,
                           GemmBlockOf(target.features, kernel.lanes));
}

// Inputs of any panel are read from the pointers of the first one.
Conv2DParams OfOneGroup(const Conv2DParams& p) {
  Conv2DParams one = p;
  one.groups = 1;
  return one;
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  // Measured on Zen 4, beside GEMMs of so few columns, whose tiles wait for sums. Without vectors, there is
  // nothing to gain.
  const GroupedF32Kernel& kernel = Kernel(target);
  const double of_product = kernel.lanes == 1 ? 2.5 : 0.9;
  return of_product * TiledCost(1, p.rows(), p.out_c, p.depth(), kernel.mr, kernel.nr, kernel.lanes);
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Kernel(target).id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = BlocksOf(Partition(p, target));
  return plan;
}

// Sizes of one layer.
struct Sizes {
  const GroupedF32Kernel& kernel;
  const GemmPartition partition;
  const IndirectionScratch<float> pointers;

  Sizes(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan)
      : kernel(VariantOf(GroupedF32Kernels(), plan.kernel)),
        partition(PartitionOf(plan.blocks, 1, p.rows(), Panels(p, kernel))),
        pointers(p, target, p.in_c, partition) {}
};

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return Sizes(p, target, plan).pointers.bytes(target.workers);
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget&) {
  return static_cast<uint64_t>(p.out_c * p.depth()) * sizeof(float);
}

// [panels][depth][nr]
void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  const auto nr = static_cast<int64_t>(Kernel(target).nr);
  auto* out = static_cast<float*>(packed);
  for (int64_t first = 0; first < p.out_c; first += nr) {
    for (int64_t k = 0; k < p.depth(); ++k) {
      for (int64_t o = first; o < first + nr; ++o) *out++ = ReadWeight(p, weights, o, k);
    }
  }
}

// One task of the partition: all tiles of its rows and panels.
void RunTask(const Conv2DParams& p, const GroupedF32Kernel& kernel, const ConvTensors& tensors,
             const GemmTask& task, const float* const* pointers) {
  const int64_t stride = PixelStride(p, tensors), nr = static_cast<int64_t>(kernel.nr);
  GemmF32Tile tile = {};
  tile.n = kernel.nr;
  tile.taps = static_cast<size_t>(p.taps());
  tile.channels = static_cast<size_t>(p.group_channels());
  tile.c_stride = static_cast<size_t>(stride);
  tile.start_stride = static_cast<size_t>(p.out_c);
  tile.lo = p.types.activation.lo();
  tile.hi = p.types.activation.hi();
  for (int64_t panel = task.first_panel; panel < task.first_panel + task.panels; ++panel) {
    const int64_t column = panel * nr;
    tile.a_offset = static_cast<size_t>(column);
    tile.b = static_cast<const float*>(tensors.packed) + column * p.depth();
    tile.bias = tensors.bias == nullptr ? nullptr : tensors.bias + column;
    tile.a = pointers;
    for (int64_t row = 0; row < task.rows; row += static_cast<int64_t>(kernel.mr)) {
      const auto left = static_cast<size_t>(task.rows - row);
      const int64_t pixel = task.first_row + row;
      tile.m = left < kernel.mr ? left : kernel.mr;
      tile.c = static_cast<float*>(tensors.y) + pixel * stride + column;
      if (tensors.residual != nullptr)
        tile.start = static_cast<const float*>(tensors.residual) + pixel * p.out_c + column;
      kernel.run(tile);
      tile.a += kernel.mr * tile.taps;
    }
  }
}

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const Sizes sizes(p, target, plan);
  const Conv2DParams one = OfOneGroup(p);
  const ActivateF32 activate(p.types.activation, plan.activation, tensors.slopes);
  ParallelFor(parallel, static_cast<size_t>(sizes.partition.tasks), [&](size_t index, int worker) {
    const GemmTask task = TaskOf(sizes.partition, index);
    const float** pointers = sizes.pointers.pointers(tensors.scratch, worker);
    FillIndirection(one, static_cast<const float*>(tensors.x),
                    sizes.pointers.FillPadding(tensors.scratch, worker, 0.0f), 0, task.first_row, task.rows,
                    sizes.kernel.mr, pointers);
    RunTask(p, sizes.kernel, tensors, task, pointers);
    const int64_t stride = PixelStride(p, tensors);
    const auto nr = static_cast<int64_t>(sizes.kernel.nr), first = task.first_panel * nr;
    activate(static_cast<float*>(tensors.y) + task.first_row * stride + first, static_cast<size_t>(task.rows),
             static_cast<size_t>(task.panels * nr), static_cast<size_t>(stride), static_cast<size_t>(first));
  });
}

}  // namespace

const Conv2DAlgorithm kGroupedConvF32 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                         PackedBytes,   Pack,       Run,  true,     true};

}  // namespace micrort

#endif
