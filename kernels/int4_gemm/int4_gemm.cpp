#include "kernels/int4_gemm/int4_gemm.h"

#include "kernels/base/checked_math.h"
#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/small_stack.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/int4_gemm/grouped_input.h"
#include "kernels/int4_gemm/pack_s4.h"

namespace micrort {
namespace {

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(GemmS4Kernels(), target.features); }
const GemmS4Kernel& Kernel(const ConvTarget& target) { return GemmS4Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_S4(name, set, ...) MICRORT_VARIANT(set, {"int4_gemm/" #name, isa::set})
#include "kernels/gemm/gemm_s4.inc"
#undef MICRORT_GEMM_S4
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_s4() && p.is_pointwise() && !p.transposed && p.groups == 1 &&
         p.depth() <= kMaxGemmS8Depth && p.types.weight_group % static_cast<int32_t>(kInt4Chunk) == 0;
}

// Sizes of one layer with one micro-kernel.
struct Sizes {
  const GemmS4Kernel& kernel;
  Int4Panel panel;
  GroupedRows rows;
  size_t panel_bytes, panels;
  GemmPartition partition = {};

  Sizes(const Conv2DParams& p, const GemmS4Kernel& of_layer) : kernel(of_layer) {
    const auto columns = static_cast<size_t>(p.in_c);
    const size_t group =
        p.types.weight_group == 0 ? AlignUp(columns, kInt4Chunk) : static_cast<size_t>(p.types.weight_group);
    panel = {kernel.nr, group, kernel.halves, p.types.half_scales, p.types.asymmetric};
    rows = {static_cast<size_t>(p.rows()), columns, group, CeilDiv(columns, group),
            kernel.halves == Int4Halves::kEights};
    panel_bytes = rows.groups * panel.group_bytes();
    panels = CeilDiv(static_cast<size_t>(p.out_c), kernel.nr);
  }
  Sizes(const Conv2DParams& p, const ConvPlan& plan) : Sizes(p, VariantOf(GemmS4Kernels(), plan.kernel)) {
    partition = PartitionOf(plan.blocks, 1, p.rows(), static_cast<int64_t>(panels));
  }
};

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes sizes(p, Kernel(target));
  return static_cast<uint64_t>(sizes.panels) * sizes.panel_bytes;
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  const GemmS4Kernel& kernel = Kernel(target);
  return TiledCost(1, p.rows(), p.out_c, p.depth(), kernel.mr, kernel.nr, kCostLanes) +
         WeightTrafficCost(p, target, static_cast<double>(PackedBytes(p, target)));
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes sizes(p, Kernel(target));
  ConvPlan plan;
  plan.kernel = sizes.kernel.id;
  PlanGroupedInput(target.features, &plan);
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = BlocksOf(MakeGemmPartition(1, p.rows(), static_cast<int64_t>(sizes.panels),
                                           static_cast<int64_t>(sizes.kernel.mr),
                                           static_cast<int64_t>(sizes.rows.depth()), target.workers,
                                           ShareOf(p), GemmBlockOf(target.features, kCostLanes)));
  return plan;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan) {
  return GroupedInputBytes(Sizes(p, plan).rows);
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  const Sizes sizes(p, Kernel(target));
  const MatrixB b = ColumnsFrom(p, weights, 0);
  auto* out = static_cast<uint8_t*>(packed);
  for (size_t i = 0; i < sizes.panels; ++i, out += sizes.panel_bytes) {
    PackS4Panel(b, sizes.panel, sizes.rows.columns, i * sizes.kernel.nr, static_cast<size_t>(p.out_c), out);
  }
}

// One task of the partition: rows by panels.
class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const Sizes& sizes, const GroupedInput& input, const ConvTensors& tensors,
             const GemmTask& task)
      : p_(p), sizes_(sizes), input_(input), tensors_(tensors), task_(task) {}

  void Run() const {
    const auto* panels = static_cast<const uint8_t*>(tensors_.packed);
    for (int64_t panel = task_.first_panel; panel < task_.first_panel + task_.panels; ++panel)
      RunPanel(panels + static_cast<size_t>(panel) * sizes_.panel_bytes, static_cast<size_t>(panel));
  }

  // Over long rows, when all of them are written.
  void Activate(const ActivateF32& activate) const {
    const auto nr = static_cast<int64_t>(sizes_.kernel.nr);
    const int64_t first = task_.first_panel * nr, left = p_.out_c - first;
    const int64_t columns = left < task_.panels * nr ? left : task_.panels * nr;
    const int64_t stride = PixelStride(p_, tensors_);
    activate(static_cast<float*>(tensors_.y) + task_.first_row * stride + first,
             static_cast<size_t>(task_.rows), static_cast<size_t>(columns), static_cast<size_t>(stride),
             static_cast<size_t>(first));
  }

 private:
  void RunPanel(const uint8_t* b, size_t panel) const {
    constexpr size_t kMaxSums = kSmallStack ? 64 : 2048;
    alignas(kSmallStack ? 8 : 64) float sums[kMaxSums];
    const size_t step = kMaxSums / sizes_.kernel.nr;
    const auto end = static_cast<size_t>(task_.first_row + task_.rows);
    for (auto row = static_cast<size_t>(task_.first_row); row < end; row += step) {
      const size_t m = end - row < step ? end - row : step, first_scale = row * sizes_.rows.scales();
      sizes_.kernel.run({sizes_.panel, m, sizes_.rows.groups, input_.x + row * sizes_.rows.depth(),
                         input_.scales + first_scale, input_.sums + first_scale, b, sums});
      for (size_t i = 0; i < m; ++i) Finish(sums + i * sizes_.kernel.nr, row + i, panel * sizes_.kernel.nr);
    }
  }

  // Bias, residual and clamp of a row of one panel.
  void Finish(float* sums, size_t row, size_t column) const {
    const auto columns = static_cast<size_t>(p_.out_c);
    const size_t n = columns - column < sizes_.kernel.nr ? columns - column : sizes_.kernel.nr;
    if (tensors_.bias != nullptr) {
      for (size_t j = 0; j < n; ++j) sums[j] += tensors_.bias[column + j];
    }
    if (tensors_.residual != nullptr) {
      const float* residual = static_cast<const float*>(tensors_.residual) + row * columns + column;
      for (size_t j = 0; j < n; ++j) sums[j] += residual[j];
    }
    const float lo = p_.types.activation.lo(), hi = p_.types.activation.hi();
    float* y =
        static_cast<float*>(tensors_.y) + row * static_cast<size_t>(PixelStride(p_, tensors_)) + column;
    for (size_t j = 0; j < n; ++j) {
      const float raised = sums[j] < lo ? lo : sums[j];
      y[j] = raised > hi ? hi : raised;
    }
  }

  const Conv2DParams& p_;
  const Sizes& sizes_;
  const GroupedInput& input_;
  const ConvTensors& tensors_;
  const GemmTask& task_;
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& of_layer, const ConvTensors& tensors,
         const Parallel& parallel) {
  const Sizes sizes(p, of_layer);
  const ActivateF32 activate(p.types.activation, of_layer.activation, tensors.slopes);
  const GroupedInput input(sizes.rows, tensors.scratch);
  QuantizeGroups(sizes.rows, of_layer, static_cast<const float*>(tensors.x), input, parallel);
  ParallelFor(parallel, static_cast<size_t>(sizes.partition.tasks), [&](size_t index, int) {
    const GemmTask task = TaskOf(sizes.partition, index);
    const TaskRunner runner(p, sizes, input, tensors, task);
    runner.Run();
    runner.Activate(activate);
  });
}

}  // namespace

// A row's outputs are the same however many there are.
const Conv2DAlgorithm kInt4Gemm = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                   PackedBytes,   Pack,       Run,  false,    true};

}  // namespace micrort
