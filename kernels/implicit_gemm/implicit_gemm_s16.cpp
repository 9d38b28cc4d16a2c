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

constexpr size_t kMaxDepth = 16 * kMaxGemmS16Depth;
// Blocks of the depth, whose sums fit into 32 bits each.
constexpr size_t MaxBlocks(size_t kr) { return CeilDiv(kMaxDepth, GemmS16BlockDepth(kr)); }
// Sums that become outputs at once, in the first-level cache; and at most, of deep layers.
constexpr size_t kUsualSums = 2 * kMaxGemmS8Tile, kMaxSums = 16 * 256;
#define MICRORT_GEMM_S16(name, set, mr, nr, kr, ...) \
  static_assert(mr * nr * MaxBlocks(kr) <= kMaxSums, #name);
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
         p.types.activation.is_clamp() && p.depth() <= static_cast<int64_t>(kMaxDepth);
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
  size_t depth, block_depth, blocks;  // padded; of it
  bool splits;                        // rows are of bytes
  bool gather;                        // false: the micro-kernel reads the input itself
  size_t panel_bytes, panels;         // of one group
  GemmPartition partition = {};
  size_t worker_bytes = 0;

  Sizes(const Conv2DParams& p, const GemmS16Kernel& of_layer) : kernel(of_layer) {
    depth = AlignUp(static_cast<size_t>(p.depth()), kernel.kr);
    block_depth = GemmS16BlockDepth(kernel.kr);
    blocks = CeilDiv(depth, block_depth);
    splits = kernel.left == GemmS16Left::kBytes;
    gather = splits || !p.is_pointwise() || depth != static_cast<size_t>(p.depth());
    panel_bytes = depth * kernel.nr;
    panels = CeilDiv(static_cast<size_t>(p.group_columns()), kernel.nr);
  }
  Sizes(const Conv2DParams& p, const ConvPlan& plan) : Sizes(p, VariantOf(GemmS16Kernels(), plan.kernel)) {
    partition = PartitionOf(plan.blocks, p.groups, p.rows(), static_cast<int64_t>(panels));
    const auto rows = static_cast<size_t>(partition.row_capacity);
    // A row that is split lies behind all others before.
    const size_t gathered = gather ? rows + (splits ? 1 : 0) : 0;
    worker_bytes = AlignUp(gathered * depth * sizeof(int16_t), kAlignment);
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
            static_cast<size_t>(p.group_columns()), sizes.kernel.nr, sizes.kernel.kr, panels,
            table.channels.shifts + first);
    panels += sizes.panels * sizes.panel_bytes;
  }
  table.Fill(p, weights, sizes.splits ? kLowByteOffset : 0);
}

// Most runs are a few elements long.
int16_t* Append(const int16_t* x, size_t n, int16_t* out) {
  constexpr size_t kStep = 8, kHalf = kStep / 2, kLong = 64;
  if (n >= kLong) {
    std::memcpy(out, x, n * sizeof *x);
    return out + n;
  }
  size_t i = 0;
  for (; i + kStep <= n; i += kStep) std::memcpy(out + i, x + i, kStep * sizeof *x);
  if (i + kHalf <= n) {
    std::memcpy(out + i, x + i, kHalf * sizeof *x);
    i += kHalf;
  }
  for (; i < n; ++i) out[i] = x[i];
  return out + n;
}

int16_t* AppendZeros(size_t n, int16_t* out) {
  std::memset(out, 0, n * sizeof *out);
  return out + n;
}

// The high bytes of x, and the low ones less 128. Whole vectors are written out: most runs are a few vectors
// long, and what a compiler puts around a loop of any length would take longer than they do.
inline void SplitWords(const int16_t* __restrict x, size_t n, int8_t* __restrict high,
                       int8_t* __restrict low) {
  constexpr size_t kStep = 16, kHalf = kStep / 2;
  const auto split = [&](size_t i) {
    high[i] = static_cast<int8_t>(x[i] >> 8);
    low[i] = static_cast<int8_t>(x[i] ^ kLowByteOffset);
  };
  size_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    for (size_t k = 0; k < kStep; ++k) split(i + k);
  }
  if (i + kHalf <= n) {
    for (size_t k = 0; k < kHalf; ++k) split(i + k);
    i += kHalf;
  }
  while (i < n) split(i++);
}

// Each block of a row becomes bytes (GemmS16Left::kBytes).
void SplitRow(const Sizes& sizes, const int16_t* x, int16_t* out) {
  auto* bytes = reinterpret_cast<int8_t*>(out);
  for (size_t first = 0; first < sizes.depth; first += sizes.block_depth) {
    const size_t n = std::min(sizes.block_depth, sizes.depth - first);
    SplitWords(x + first, n, bytes, bytes + n);
    bytes += 2 * n;
  }
}

// What the taps of neighbouring output pixels read where none of them is in the padding and neighbouring taps
// read neighbouring memory.
struct InteriorRuns {
  size_t count, length;  // of a pixel: one for each kernel row
  int64_t step;          // between them
  int64_t pixel_step;

  explicit InteriorRuns(const Conv2DParams& p)
      : count(static_cast<size_t>(p.kernel_h)),
        length(static_cast<size_t>(p.kernel_w * p.in_c)),
        step(p.dilation_h * p.in_w * p.in_c),
        pixel_step(p.stride_w * p.in_c) {}
};

// Rows of `depth` elements, one for each pixel from that whose first tap lies over x. These are functions of
// their own, in which everything is in registers.
[[gnu::noinline]] void GatherRuns(const InteriorRuns& runs, const int16_t* x, int64_t pixels, size_t depth,
                                  int16_t* out) {
  const size_t padding = depth - runs.count * runs.length;
  for (; pixels > 0; --pixels, x += runs.pixel_step) {
    const int16_t* run = x;
    for (size_t i = 0; i < runs.count; ++i, run += runs.step) out = Append(run, runs.length, out);
    if (padding > 0) out = AppendZeros(padding, out);
  }
}
[[gnu::noinline]] void SplitRuns(const InteriorRuns& runs, const int16_t* x, int64_t pixels, size_t depth,
                                 int8_t* high) {
  for (; pixels > 0; --pixels, x += runs.pixel_step, high += depth) {
    int8_t* const low = high + depth;
    const int16_t* run = x;
    for (size_t i = 0; i < runs.count; ++i, run += runs.step, high += runs.length)
      SplitWords(run, runs.length, high, high + depth);
    // Weights are 0 there, so that any low bytes will do.
    while (high < low) *high++ = 0;
  }
}

// The rows of the left matrix of one task.
class RowGatherer {
 public:
  RowGatherer(const Conv2DParams& p, const Sizes& sizes, const int16_t* x, const GemmTask& task)
      : p_(p),
        sizes_(sizes),
        x_(x + task.group * p.group_channels()),
        rows_(task.rows),
        adjacent_(p.groups == 1 && p.dilation_w == 1),
        splits_once_(sizes.splits && sizes.blocks == 1),
        runs_(p),
        pixel_(p, task.first_row) {}

  // [rows][depth]; where rows are split, one more behind them is overwritten.
  void Run(int16_t* out) {
    int16_t* const whole = out + static_cast<size_t>(rows_) * sizes_.depth;
    for (int64_t n = 0, r = 0; r < rows_;
         r += n, pixel_.Next(n), out += static_cast<size_t>(n) * sizes_.depth) {
      const int64_t interior = adjacent_ ? std::min(pixel_.Interior(), rows_ - r) : 0;
      n = std::max<int64_t>(interior, 1);
      interior > 0 ? RunInterior(interior, out, whole) : RunEdge(out, whole);
    }
  }

 private:
  void RunInterior(int64_t pixels, int16_t* out, int16_t* whole) const {
    const int16_t* x = x_ + pixel_.FirstInput() * p_.in_c;
    const size_t depth = sizes_.depth;
    if (splits_once_) return SplitRuns(runs_, x, pixels, depth, reinterpret_cast<int8_t*>(out));
    if (!sizes_.splits) return GatherRuns(runs_, x, pixels, depth, out);
    for (; pixels > 0; --pixels, x += runs_.pixel_step, out += depth) {
      GatherRuns(runs_, x, 1, depth, whole);
      SplitRow(sizes_, whole, out);
    }
  }
  void RunEdge(int16_t* out, int16_t* whole) const {
    if (splits_once_) return Split(reinterpret_cast<int8_t*>(out));
    Gather(sizes_.splits ? whole : out);
    if (sizes_.splits) SplitRow(sizes_, whole, out);
  }

  void Gather(int16_t* out) const {
    int16_t* const end = out + sizes_.depth;
    VisitRuns(
        [&](const int16_t* x, size_t n) { out = x == nullptr ? AppendZeros(n, out) : Append(x, n, out); });
    AppendZeros(static_cast<size_t>(end - out), out);
  }

  // Splits one block.
  void Split(int8_t* high) const {
    int8_t* low = high + sizes_.depth;
    std::memset(high, 0, sizes_.depth);
    std::memset(low, -kLowByteOffset, sizes_.depth);
    VisitRuns([&](const int16_t* x, size_t n) {
      if (x != nullptr) SplitWords(x, n, high, low);
      high += n;
      low += n;
    });
  }

  // f(x, n) for each run of n elements of the row; x is null where there is padding.
  template <typename F>
  void VisitRuns(const F& f) const {
    const auto channels = static_cast<size_t>(p_.group_channels());
    pixel_.VisitTaps([&](int64_t n, int64_t at) {
      const int64_t runs = at < 0 || adjacent_ ? 1 : n, taps = n / runs;
      for (int64_t i = 0; i < runs; ++i) {
        f(at < 0 ? nullptr : x_ + (at + i * p_.dilation_w) * p_.in_c, static_cast<size_t>(taps) * channels);
      }
    });
  }

  const Conv2DParams& p_;
  const Sizes& sizes_;
  const int16_t* const x_;
  const int64_t rows_;
  const bool adjacent_, splits_once_;
  const InteriorRuns runs_;
  OutputPixel pixel_;
};

class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const Sizes& sizes, const TileEpilogueS16& epilogue, const GemmTask& task)
      : p_(p), sizes_(sizes), epilogue_(epilogue), task_(task) {}

  void Run(const int16_t* x, const int8_t* panels, int16_t* scratch) {
    rows_ = scratch;
    row_step_ = sizes_.depth;
    if (sizes_.gather) {
      RowGatherer(p_, sizes_, x, task_).Run(scratch);
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
        const size_t k = block * sizes_.block_depth;
        sizes_.kernel.run({m, n, std::min(sizes_.block_depth, sizes_.depth - k), rows_ + row * row_step_ + k,
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
