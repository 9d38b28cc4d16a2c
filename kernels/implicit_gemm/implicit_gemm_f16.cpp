#include "kernels/implicit_gemm/implicit_gemm_f16.h"

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/activate_f16.h"
#include "kernels/elementwise/half_arrays.h"
#include "kernels/gemm/half_panel.h"
#include "kernels/gemm/packed_b.h"
#include "kernels/implicit_gemm/indirection_buffer.h"
#include "kernels/implicit_gemm/pixel_runs.h"

#if MICRORT_KERNELS_fp16

namespace micrort {
namespace {

const GemmF16Kernel& Kernel(CpuFeatures features) {
  return GemmF16Kernels()[SelectVariant(GemmF16Kernels(), features)];
}

MICRORT_COLD const char* Name(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_F16(name, set, mr, nr, lanes) \
  MICRORT_VARIANT(set, {"implicit_gemm_f16/" #name, isa::set})
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[SelectVariant(GemmF16Kernels(), target.features)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.half && !p.types.is_s8() && p.types.weights == DType::kFloat16 && !p.transposed;
}

bool TakesFloats(const Conv2DParams& p) { return p.types.x == DType::kFloat32; }
bool GivesFloats(const Conv2DParams& p) { return p.types.y == DType::kFloat32; }

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

// In instructions, of which one is two multiply-adds of four floats: what an element of x that becomes a
// half, and a sum of an output, take beside the products. Few channels are loaded one by one.
MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  constexpr double kConvertCost = 7, kFloatSumCost = 10, kSumCost = 4, kTapCost = 2;
  const GemmF16Kernel& kernel = Kernel(target.features);
  const Depth depth = DepthOf(p);
  const auto x = static_cast<double>(TakesFloats(p) ? p.batch * p.in_h * p.in_w * p.in_c : 0);
  const auto outputs = static_cast<double>(p.rows() * p.out_c);
  const auto blocks = static_cast<double>(CeilDiv(p.depth(), kHalfDepth));
  const double sums = blocks > 1 || GivesFloats(p) ? kFloatSumCost * blocks : kSumCost;
  const auto taps = static_cast<double>(p.is_pointwise() ? 0 : p.rows() * p.groups * depth.taps);
  // The last few channels take as long as whole vectors.
  const int64_t rounded = depth.taps * CeilDiv<int64_t>(depth.channels, 4) * 4;
  return TiledCost(static_cast<double>(p.groups), p.rows(), p.group_columns(), rounded, kernel.mr,
                   kernel.nr / 2, kernel.lanes) +
         kConvertCost * x + sums * outputs + kTapCost * taps +
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

// SizesF16 of one layer. Scratch holds x where that is floats, behind it pointers of all workers, and behind
// these what each of them copies of pixels and adds up in float.
struct SizesF16 {
  const GemmF16Kernel& kernel;
  const Depth depth;
  const GemmPartition partition;
  const IndirectionScratch<uint16_t> pointers;
  const uint64_t x_elements, x_bytes;
  const uint64_t copy_bytes, sum_bytes;     // of a worker
  const uint64_t panel_bytes, group_bytes;  // of packed weights

  SizesF16(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan)
      : kernel(VariantOf(GemmF16Kernels(), plan.kernel)),
        depth(DepthOf(p)),
        partition(PartitionOf(plan.blocks, p.groups, p.rows(),
                              CeilDiv(p.group_columns(), static_cast<int64_t>(kernel.nr)))),
        pointers(p, target, depth.channels, partition),
        x_elements(TakesFloats(p) ? static_cast<uint64_t>(p.batch * p.in_h * p.in_w * p.in_c) : 0),
        x_bytes(Aligned(static_cast<int64_t>(x_elements * sizeof(uint16_t)))),
        copy_bytes(Aligned(ReadsRuns(p) ? partition.row_capacity * p.depth() * kHalfBytes : 0)),
        sum_bytes(Aligned(GivesFloats(p) ? 0
                                         : HalfPanel::SumElements(depth, partition.row_capacity,
                                                                  static_cast<int64_t>(kernel.nr)) *
                                               static_cast<int64_t>(sizeof(float)))),
        panel_bytes(WeightsOf(p, kernel).panel_bytes()),
        group_bytes(WeightsOf(p, kernel).bytes(static_cast<size_t>(p.group_columns()))) {}

  uint64_t worker_bytes() const { return copy_bytes + sum_bytes; }

 private:
  static constexpr int64_t kHalfBytes = sizeof(uint16_t);
  static uint64_t Aligned(int64_t bytes) {
    return CeilDiv<uint64_t>(static_cast<uint64_t>(bytes), kAlignment) * kAlignment;
  }
};

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  const SizesF16 sizes(p, target, plan);
  return sizes.x_bytes + sizes.pointers.bytes(target.workers) +
         sizes.worker_bytes() * static_cast<uint64_t>(target.workers);
}

// Only where the micro-kernels are built; others decide for such devices.
#if MICRORT_KERNELS_fp16 == 1

// One task of the partition: all tiles of its block.
class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const SizesF16& sizes, const ConvTensors& tensors, const GemmTask& task)
      : p_(p), sizes_(sizes), tensors_(tensors), task_(task), y_stride_(PixelStride(p, tensors)) {}

  // `memory`: worker_bytes().
  void Run(const uint16_t* x, const uint16_t* padding, const uint16_t** pointers, uint8_t* memory) const {
    auto* copies = reinterpret_cast<uint16_t*>(memory);
    auto* sums = reinterpret_cast<float*>(memory + sizes_.copy_bytes);
    const size_t mr = sizes_.kernel.mr;
    if (ReadsRuns(p_)) {
      FillIndirectionOfRuns(p_, x, padding, task_.first_row, task_.rows, mr, pointers, copies);
    } else {
      FillIndirection(p_, x, padding, task_.group, task_.first_row, task_.rows, mr, pointers);
    }
    const HalfPanel rows(sizes_.kernel, sizes_.depth, kHalfDepth, pointers, task_.rows, sums);
    for (int64_t i = 0; i < task_.panels; ++i) {
      const int64_t panel = task_.first_panel + i;
      rows.Run(PanelAt(panel), ResultOf(panel * static_cast<int64_t>(sizes_.kernel.nr)));
    }
  }

  // Over long rows, as tiles are narrow.
  void Activate(const ConvPlan& plan) const {
    const auto nr = static_cast<int64_t>(sizes_.kernel.nr);
    const int64_t first = task_.first_panel * nr, left = p_.group_columns() - first;
    const auto columns = static_cast<size_t>(left < task_.panels * nr ? left : task_.panels * nr);
    const int64_t offset = OffsetOf(first);
    const auto rows = static_cast<size_t>(task_.rows), stride = static_cast<size_t>(y_stride_);
    const auto channel = static_cast<size_t>(task_.group * p_.group_columns() + first);
    const Activation& activation = p_.types.activation;
    if (GivesFloats(p_)) {
      const ActivateF32 activate(activation, plan.activation, tensors_.slopes);
      activate(static_cast<float*>(tensors_.y) + offset, rows, columns, stride, channel);
    } else {
      const ActivateF16 activate(activation, plan.activation, plan.convert, tensors_.slopes);
      activate(static_cast<uint16_t*>(tensors_.y) + offset, rows, columns, stride, channel);
    }
  }

 private:
  const uint16_t* PanelAt(int64_t panel) const {
    return reinterpret_cast<const uint16_t*>(static_cast<const uint8_t*>(tensors_.packed) +
                                             static_cast<uint64_t>(task_.group) * sizes_.group_bytes +
                                             static_cast<uint64_t>(panel) * sizes_.panel_bytes);
  }

  // The offset of a column of the group in the task's first row.
  int64_t OffsetOf(int64_t column) const {
    return task_.first_row * y_stride_ + task_.group * p_.group_columns() + column;
  }

  GemmF16Tile ResultOf(int64_t column) const {
    const auto nr = static_cast<int64_t>(sizes_.kernel.nr);
    const int64_t columns = p_.group_columns() - column, offset = OffsetOf(column);
    GemmF16Tile tile = {};
    tile.n = static_cast<size_t>(columns < nr ? columns : nr);
    tile.lo = p_.types.activation.lo();
    tile.hi = p_.types.activation.hi();
    if (tensors_.bias != nullptr) tile.bias = tensors_.bias + task_.group * p_.group_columns() + column;
    tile.start_stride = tile.c_stride = tile.y_stride = static_cast<size_t>(y_stride_);
    if (GivesFloats(p_)) {
      tile.c = static_cast<float*>(tensors_.y) + offset;
      if (tensors_.residual != nullptr) tile.start = static_cast<const float*>(tensors_.residual) + offset;
      return tile;
    }
    tile.y = static_cast<uint16_t*>(tensors_.y) + offset;
    if (tensors_.residual != nullptr) {
      tile.residual = static_cast<const uint16_t*>(tensors_.residual) + offset;
    }
    return tile;
  }

  const Conv2DParams& p_;
  const SizesF16& sizes_;
  const ConvTensors& tensors_;
  const GemmTask& task_;
  const int64_t y_stride_;
};

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const SizesF16 sizes(p, target, plan);
  const auto* x = static_cast<const uint16_t*>(tensors.x);
  if (TakesFloats(p)) {
    auto* halves = static_cast<uint16_t*>(tensors.scratch);
    FloatsToHalves(VariantOf(ConvertF32Kernels(), plan.convert), static_cast<const float*>(tensors.x),
                   static_cast<size_t>(sizes.x_elements), halves, parallel);
    x = halves;
  }
  auto* pointers = static_cast<uint8_t*>(tensors.scratch) + sizes.x_bytes;
  auto* memory = pointers + sizes.pointers.bytes(target.workers);
  ParallelFor(parallel, static_cast<size_t>(sizes.partition.tasks), [&](size_t index, int worker) {
    const GemmTask task = TaskOf(sizes.partition, index);
    const TaskRunner runner(p, sizes, tensors, task);
    runner.Run(x, sizes.pointers.FillPadding(pointers, worker, 0), sizes.pointers.pointers(pointers, worker),
               memory + sizes.worker_bytes() * static_cast<uint64_t>(worker));
    runner.Activate(plan);
  });
}

#endif

}  // namespace

const Conv2DAlgorithm kImplicitGemmF16 = {Name,           Applicable,  Cost,     MakePlan,
                                          ScratchBytesOf, PackedBytes, Pack,     MICRORT_RUN(fp16, Run),
                                          true,           true,        isa::fp16};

}  // namespace micrort

#endif
