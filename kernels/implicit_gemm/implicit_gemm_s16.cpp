#include "kernels/implicit_gemm/implicit_gemm_s16.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/gemm/gemm_s16.h"
#include "kernels/implicit_gemm/indirection_buffer.h"
#include "kernels/layer_s16/tile_epilogue_s16.h"

namespace micrort {
namespace {

// Blocks of the depth, whose sums fit into 32 bits each.
constexpr size_t kMaxBlocks = 16;
// Sums that become outputs at once, in the first-level cache; and at most, of deep layers.
constexpr size_t kUsualSums = 2 * kMaxGemmS8Tile, kMaxSums = kMaxBlocks * 256;
#define MICRORT_GEMM_S16(name, set, mr, nr, ...) static_assert(mr * nr * kMaxBlocks <= kMaxSums, #name);
#include "kernels/gemm/gemm_s16.inc"
#undef MICRORT_GEMM_S16

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(GemmS16Kernels(), target.features); }
const GemmS16Kernel& Kernel(const ConvTarget& target) { return GemmS16Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_S16(name, set, ...) MICRORT_VARIANT(set, {"implicit_gemm_s16/" #name, isa::set})
#include "kernels/gemm/gemm_s16.inc"
#undef MICRORT_GEMM_S16
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_s16() && p.types.weights == DType::kInt8 && p.types.y == DType::kInt16 &&
         p.types.activation.is_clamp() && p.depth() <= static_cast<int64_t>(kMaxBlocks * kMaxGemmS16Depth);
}

// Without vectors it is slower than the direct algorithm.
MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  const GemmS16Kernel& kernel = Kernel(target);
  if (kernel.features == kCpuScalar) return 32.0 * static_cast<double>(p.multiply_adds());
  return TiledCost(static_cast<double>(p.groups), p.rows(), p.group_columns(), p.depth(), kernel.mr,
                   kernel.nr, kCostLanes);
}

// Sizes of one layer with one micro-kernel.
struct Sizes {
  const GemmS16Kernel& kernel;
  size_t depth, blocks;        // padded; of it
  bool gather;                 // false: the micro-kernel reads the input itself
  size_t panel_bytes, panels;  // of one group
  GemmPartition partition = {};
  size_t worker_bytes = 0;

  Sizes(const Conv2DParams& p, const GemmS16Kernel& of_layer) : kernel(of_layer) {
    depth = AlignUp(static_cast<size_t>(p.depth()), kGemmS16Kr);
    blocks = CeilDiv(depth, kMaxGemmS16Depth);
    gather = !p.is_pointwise() || depth != static_cast<size_t>(p.depth());
    panel_bytes = depth * kernel.nr;
    panels = CeilDiv(static_cast<size_t>(p.group_columns()), kernel.nr);
  }
  Sizes(const Conv2DParams& p, const ConvPlan& plan) : Sizes(p, VariantOf(GemmS16Kernels(), plan.kernel)) {
    partition = PartitionOf(plan.blocks, p.groups, p.rows(), static_cast<int64_t>(panels));
    const auto rows = static_cast<size_t>(partition.row_capacity);
    worker_bytes = gather ? AlignUp(rows * depth * sizeof(int16_t), kAlignment) : 0;
  }
  // Rows whose sums are kept at a time.
  size_t step() const {
    const size_t tile = blocks * kernel.mr * kernel.nr;
    return std::max<size_t>(kUsualSums / tile, 1) * kernel.mr;
  }
};

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes sizes(p, Kernel(target));
  ConvPlan plan;
  plan.kernel = sizes.kernel.id;
  PlanTileEpilogueS16(target.features, &plan);
  plan.blocks = BlocksOf(MakeGemmPartition(
      p.groups, p.rows(), static_cast<int64_t>(sizes.panels), static_cast<int64_t>(sizes.kernel.mr),
      static_cast<int64_t>(sizes.depth * sizeof(int16_t)), target.workers, ShareOf(p),
      GemmBlockOf(target.features, kCostLanes)));
  return plan;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return Sizes(p, plan).worker_bytes * static_cast<uint64_t>(target.workers);
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes sizes(p, Kernel(target));
  return TileTableS16::Bytes(p) + static_cast<uint64_t>(p.groups) * sizes.panels * sizes.panel_bytes;
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  const Sizes sizes(p, Kernel(target));
  TileTableS16 table(p, packed);
  auto* panels = static_cast<int8_t*>(packed) + TileTableS16::Bytes(p);
  for (int64_t g = 0; g < p.groups; ++g) {
    // Zero points are 0, so that nothing needs the sums of the weights: they lie where the shifts come.
    const int64_t first = g * p.group_columns();
    PackBS8(ColumnsFrom(p, weights, first), static_cast<size_t>(p.depth()),
            static_cast<size_t>(p.group_columns()), sizes.kernel.nr, kGemmS16Kr, panels,
            table.channels.shifts + first);
    panels += sizes.panels * sizes.panel_bytes;
  }
  table.Fill(p, weights);
}

// Most runs are a few elements long.
int16_t* Append(const int16_t* x, size_t n, int16_t* out) {
  constexpr size_t kStep = 4, kLong = 64;
  if (n >= kLong) {
    std::memcpy(out, x, n * sizeof *x);
    return out + n;
  }
  size_t i = 0;
  for (; i + kStep <= n; i += kStep) std::memcpy(out + i, x + i, kStep * sizeof *x);
  for (; i < n; ++i) out[i] = x[i];
  return out + n;
}

int16_t* AppendZeros(size_t n, int16_t* out) {
  std::memset(out, 0, n * sizeof *out);
  return out + n;
}

// The task's rows of the left matrix, [rows][depth].
void GatherRows(const Conv2DParams& p, size_t depth, const int16_t* x, const GemmTask& task, int16_t* out) {
  const auto channels = static_cast<size_t>(p.group_channels());
  const int16_t* base = x + task.group * p.group_channels();
  // What neighbouring taps of one kernel row read is one run of memory.
  const bool adjacent = p.groups == 1 && p.dilation_w == 1;
  OutputPixel pixel(p, task.first_row);
  for (int64_t r = 0; r < task.rows; ++r, pixel.Next()) {
    int16_t* const end = out + depth;
    pixel.VisitTaps([&](int64_t n, int64_t at) {
      const size_t run = static_cast<size_t>(n) * channels;
      if (at < 0) {
        out = AppendZeros(run, out);
      } else if (adjacent) {
        out = Append(base + at * p.in_c, run, out);
      } else {
        for (int64_t i = 0; i < n; ++i) out = Append(base + (at + i * p.dilation_w) * p.in_c, channels, out);
      }
    });
    out = AppendZeros(static_cast<size_t>(end - out), out);
  }
}

class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const Sizes& sizes, const TileEpilogueS16& epilogue, const GemmTask& task)
      : p_(p), sizes_(sizes), epilogue_(epilogue), task_(task) {}

  void Run(const int16_t* x, const int8_t* panels, int16_t* scratch) {
    rows_ = scratch;
    row_step_ = sizes_.depth;
    if (sizes_.gather) {
      GatherRows(p_, sizes_.depth, x, task_, scratch);
    } else {
      rows_ = x + task_.first_row * p_.in_c + task_.group * p_.group_channels();
      row_step_ = static_cast<size_t>(p_.in_c);
    }
    panels += static_cast<size_t>(task_.group) * sizes_.panels * sizes_.panel_bytes;
    for (int64_t panel = task_.first_panel; panel < task_.first_panel + task_.panels; ++panel) {
      RunPanel(panels + static_cast<size_t>(panel) * sizes_.panel_bytes, panel);
    }
  }

 private:
  void RunPanel(const int8_t* b, int64_t panel) const {
    const size_t nr = sizes_.kernel.nr, step = sizes_.step();
    const int64_t first = panel * static_cast<int64_t>(nr), columns = p_.group_columns();
    const size_t n = std::min(nr, static_cast<size_t>(columns - first));
    alignas(64) int32_t acc[kMaxSums];
    const TileEpilogueS16::Sums sums = {acc, nr, sizes_.blocks, step * nr};
    const auto rows = static_cast<size_t>(task_.rows);
    for (size_t row = 0; row < rows; row += step) {
      const size_t m = std::min(step, rows - row);
      for (size_t block = 0; block < sizes_.blocks; ++block) {
        const size_t k = block * kMaxGemmS16Depth;
        sizes_.kernel.run({m, n, std::min(kMaxGemmS16Depth, sizes_.depth - k), rows_ + row * row_step_ + k,
                           row_step_ * sizeof(int16_t), b + k * nr, acc + block * sums.block_stride});
      }
      epilogue_.Finish(sums, m, n, task_.first_row + static_cast<int64_t>(row),
                       task_.group * columns + first);
    }
  }

  const Conv2DParams& p_;
  const Sizes& sizes_;
  const TileEpilogueS16& epilogue_;
  const GemmTask& task_;
  const int16_t* rows_ = nullptr;  // of the left matrix
  size_t row_step_ = 0;
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const Sizes sizes(p, plan);
  const TileEpilogueS16 epilogue(p, plan, tensors);
  const auto* panels = static_cast<const int8_t*>(tensors.packed) + TileTableS16::Bytes(p);
  ParallelFor(parallel, static_cast<size_t>(sizes.partition.tasks), [&](size_t index, int worker) {
    auto* const scratch =
        static_cast<uint8_t*>(tensors.scratch) + sizes.worker_bytes * static_cast<size_t>(worker);
    const GemmTask task = TaskOf(sizes.partition, index);
    TaskRunner(p, sizes, epilogue, task)
        .Run(static_cast<const int16_t*>(tensors.x), panels, reinterpret_cast<int16_t*>(scratch));
  });
}

}  // namespace

const Conv2DAlgorithm kImplicitGemmS16 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                          PackedBytes,   Pack,       Run,  true,     true};

}  // namespace micrort
