#include "kernels/implicit_gemm/implicit_gemm_s8.h"

#include <cstring>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/small_stack.h"
#include "kernels/conv/cost.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/implicit_gemm/append_chunks.h"
#include "kernels/implicit_gemm/indirection_buffer.h"
#include "kernels/layer_s8/epilogue_s8.h"
#include "kernels/layer_s8/input_s8.h"

namespace micrort {
namespace {

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(GemmS8Kernels(), target.features); }
const GemmS8Kernel& Kernel(const ConvTarget& target) { return GemmS8Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_S8(name, set, ...) MICRORT_VARIANT(set, {"implicit_gemm_s8/" #name, isa::set})
#include "kernels/gemm/gemm_s8.inc"
#undef MICRORT_GEMM_S8
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_s8() && HasInputS8(p.types) && HasEpilogueS8(p.types) && p.depth() <= kMaxGemmS8Depth;
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  const GemmS8Kernel& kernel = Kernel(target);
  // Tiles of four columns are many, and a few columns by themselves take as long to begin as sixteen take to
  // compute.
  const size_t columns = kernel.nr < 8 && kernel.kr > 1 ? 16 : kernel.nr;
  return TiledCost(static_cast<double>(p.groups), p.rows(), p.group_columns(), p.depth(), kernel.mr, columns,
                   kCostLanes);
}

// Sizes of one layer with one micro-kernel.
struct Sizes {
  const GemmS8Kernel& kernel;
  size_t depth;                // padded
  size_t element_bytes;        // of gathered rows
  bool gather;                 // false: the micro-kernel reads the input itself
  size_t panel_bytes, panels;  // of one group
  GemmPartition partition = {};
  size_t block_bytes = 0, worker_bytes = 0;

  Sizes(const Conv2DParams& p, const GemmS8Kernel& of_layer) : kernel(of_layer) {
    depth = CeilDiv(static_cast<size_t>(p.depth()), kernel.kr) * kernel.kr;
    element_bytes = kernel.left == GemmS8Left::kInt16 ? sizeof(int16_t) : sizeof(int8_t);
    const bool reads_int8 = kernel.left == GemmS8Left::kInt8 || kernel.left == GemmS8Left::kInt8Pairs;
    gather = !reads_int8 || !p.is_pointwise() || depth != static_cast<size_t>(p.depth());
    panel_bytes = depth * kernel.nr;
    panels = CeilDiv(static_cast<size_t>(p.group_columns()), kernel.nr);
  }
  Sizes(const Conv2DParams& p, const ConvPlan& plan) : Sizes(p, VariantOf(GemmS8Kernels(), plan.kernel)) {
    partition = PartitionOf(plan.blocks, p.groups, p.rows(), static_cast<int64_t>(panels));
    const auto rows = static_cast<size_t>(partition.row_capacity);
    block_bytes = gather ? AlignUp((rows * depth + kChunk) * element_bytes, kAlignment) : 0;
    // Behind the gathered block: scale and zero point of each row of dynamic layers, one and sum of those
    // with asymmetric weights.
    const size_t row_bytes = sizeof(float) + sizeof(int32_t);
    worker_bytes =
        block_bytes + (p.types.dynamic || p.types.asymmetric ? AlignUp(rows * row_bytes, kAlignment) : 0);
  }
};

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes sizes(p, Kernel(target));
  ConvPlan plan;
  plan.kernel = sizes.kernel.id;
  PlanInputS8(p, target.features, &plan);
  PlanEpilogueS8(p, target.features, &plan);
  plan.blocks = BlocksOf(MakeGemmPartition(
      p.groups, p.rows(), static_cast<int64_t>(sizes.panels), static_cast<int64_t>(sizes.kernel.mr),
      static_cast<int64_t>(sizes.depth * sizes.element_bytes), target.workers, ShareOf(p),
      GemmBlockOf(target.features, kCostLanes)));
  return plan;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return InputS8ScratchBytes(p) + Sizes(p, plan).worker_bytes * static_cast<uint64_t>(target.workers);
}

uint64_t PanelBytes(const Conv2DParams& p, const Sizes& plan) {
  return static_cast<uint64_t>(p.groups) * plan.panels * plan.panel_bytes;
}

// Behind the panels a byte tells whether one of their elements is -128, for micro-kernels that must know.
MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes plan(p, Kernel(target));
  return ChannelTable::Bytes(p) + PanelBytes(p, plan) + (plan.kernel.left == GemmS8Left::kInt8Pairs ? 1 : 0);
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  const Sizes plan(p, Kernel(target));
  ChannelTable table(p, packed);
  auto* panels = static_cast<int8_t*>(packed) + ChannelTable::Bytes(p);
  for (int64_t g = 0; g < p.groups; ++g) {
    const int64_t first = g * p.group_columns();
    PackBS8(ColumnsFrom(p, weights, first), static_cast<size_t>(p.depth()),
            static_cast<size_t>(p.group_columns()), plan.kernel.nr, plan.kernel.kr, panels,
            table.sums + first);
    panels += plan.panels * plan.panel_bytes;
  }
  if (plan.kernel.left == GemmS8Left::kInt8Pairs) {
    const auto bytes = static_cast<size_t>(PanelBytes(p, plan));
    *panels = std::memchr(panels - bytes, INT8_MIN, bytes) != nullptr;
  }
  table.Fill(p, weights, plan.kernel.left == GemmS8Left::kOffset128 ? 128 : 0);
}

// The sum of x - zero_point.
template <typename T>
int32_t SumOf(const T* x, int64_t n, int32_t zero_point) {
  int32_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] - zero_point;
  return sum;
}

// Rows of pixels side by side without padding, `x` on from the input pixel under the first tap; neighbouring
// taps of one kernel row read one run of memory.
template <typename T>
T* GatherInterior(const Conv2DParams& p, const Sizes& plan, const int8_t* x, int64_t pixels, int32_t offset,
                  T* out) {
  const auto run = static_cast<size_t>(p.kernel_w * p.in_c);
  const int64_t row_step = p.dilation_h * p.in_w * p.in_c;
  for (int64_t i = 0; i < pixels; ++i, x += p.stride_w * p.in_c) {
    T* const end = out + plan.depth;
    for (int64_t ky = 0; ky < p.kernel_h; ++ky) out = AppendChunks(x + ky * row_step, run, offset, out);
    while (out < end) *out++ = T{0};
  }
  return out;
}

// How many of the interior pixels from here on may be read in whole chunks.
int64_t PixelsOfWholeChunks(const Conv2DParams& p, const OutputPixel& pixel) {
  constexpr auto kChunkElements = static_cast<int64_t>(kChunk);
  const int64_t run = p.kernel_w * p.in_c, excess = CeilDiv(run, kChunkElements) * kChunkElements - run;
  const int64_t last_row = pixel.FirstInput() + (p.kernel_h - 1) * p.dilation_h * p.in_w;
  const int64_t room = (p.batch * p.in_h * p.in_w - last_row) * p.in_c - run - excess;
  if (room < 0) return 0;
  const int64_t fitting = room / (p.stride_w * p.in_c) + 1, interior = pixel.Interior();
  return fitting < interior ? fitting : interior;
}

// The task's rows of the left matrix plus `offset`, [rows][plan.depth].
template <typename T>
void GatherRows(const Conv2DParams& p, const Sizes& plan, const InputS8& input, const GemmTask& task,
                int32_t offset, T* out) {
  const auto channels = static_cast<size_t>(p.group_channels());
  const int8_t* base = input.x + task.group * p.group_channels();
  if (p.is_pointwise() && p.groups == 1 && plan.depth == channels) {
    Append(base + task.first_row * p.in_c, static_cast<size_t>(task.rows) * channels, offset, out);
    return;
  }
  // What neighbouring taps of one kernel row read is one run of memory.
  const bool adjacent = p.groups == 1 && p.dilation_w == 1;
  const size_t chunks = channels % kChunk == 0 ? channels / kChunk : 0;
  OutputPixel pixel(p, task.first_row);
  for (int64_t r = 0; r < task.rows;) {
    const int64_t whole = adjacent && pixel.Interior() > 0 ? PixelsOfWholeChunks(p, pixel) : 0;
    const int64_t pixels = whole < task.rows - r ? whole : task.rows - r;
    if (pixels > 0) {
      out = GatherInterior(p, plan, base + pixel.FirstInput() * p.in_c, pixels, offset, out);
      r += pixels;
      pixel.Next(pixels);
      continue;
    }
    T* const end = out + plan.depth;
    const int32_t zero_point =
        input.item_zero_points == nullptr ? p.types.x_zero_point : input.item_zero_points[pixel.image()];
    pixel.VisitTaps([&](int64_t n, int64_t at) {
      if (at < 0) {
        out = Fill(static_cast<T>(zero_point + offset), static_cast<size_t>(n) * channels, out);
      } else if (adjacent) {
        out = Append(base + at * p.in_c, static_cast<size_t>(n) * channels, offset, out);
      } else {
        for (int64_t i = 0; i < n; ++i) {
          const int8_t* from = base + (at + i * p.dilation_w) * p.in_c;
          out = chunks > 0 ? AppendChunks(from, chunks * kChunk, offset, out)
                           : Append(from, channels, offset, out);
        }
      }
    });
    out = Fill(T{0}, static_cast<size_t>(end - out), out);
    ++r;
    pixel.Next();
  }
}

class TaskRunner {
 public:
  TaskRunner(const Conv2DParams& p, const Sizes& plan, const InputS8& input, const EpilogueS8& epilogue,
             const GemmTask& task, uint8_t* scratch)
      : p_(p),
        plan_(plan),
        input_(input),
        epilogue_(epilogue),
        task_(task),
        columns_(p.group_columns()),
        scratch_(scratch) {
    rows_ = scratch;
    row_bytes_ = plan.depth * plan.element_bytes;
    if (!plan.gather) {
      rows_ = reinterpret_cast<const uint8_t*>(input.x + task.first_row * p.in_c +
                                               task.group * p.group_channels());
      row_bytes_ = static_cast<size_t>(p.in_c);
    }
  }

  void Run(const int8_t* panels) {
    full_range_ = plan_.kernel.left == GemmS8Left::kInt8Pairs && panels[PanelBytes(p_, plan_)] != 0;
    if (plan_.gather) Gather();
    if (p_.types.dynamic) ListRowQuantization();
    if (p_.types.asymmetric) ListRowSums();
    const auto group_panels = task_.group * static_cast<int64_t>(plan_.panels);
    const int64_t end = task_.first_panel + task_.panels, step = PanelsAtOnce();
    for (int64_t panel = task_.first_panel; panel < end; panel += step) {
      RunPanels(panels + static_cast<size_t>(group_panels + panel) * plan_.panel_bytes, panel,
                end - panel < step ? end - panel : step);
    }
  }

 private:
  void Gather() {
    switch (plan_.kernel.left) {
      case GemmS8Left::kInt8:
      case GemmS8Left::kInt8Pairs:
        return GatherRows(p_, plan_, input_, task_, 0, reinterpret_cast<int8_t*>(scratch_));
      case GemmS8Left::kInt16:
        return GatherRows(p_, plan_, input_, task_, 0, reinterpret_cast<int16_t*>(scratch_));
      case GemmS8Left::kOffset128:
        return GatherRows(p_, plan_, input_, task_, 128, scratch_);
    }
  }

  void ListRowQuantization() {
    auto* scales = reinterpret_cast<float*>(scratch_ + plan_.block_bytes);
    auto* zero_points = reinterpret_cast<int32_t*>(scales + plan_.partition.row_block);
    OutputPixel pixel(p_, task_.first_row);
    for (int64_t r = 0; r < task_.rows; ++r, pixel.Next()) {
      scales[r] = input_.item_scales[pixel.image()];
      zero_points[r] = input_.item_zero_points[pixel.image()];
    }
    row_scales_ = scales;
    row_zero_points_ = zero_points;
  }

  // What the zero points of the weights are multiplied by.
  void ListRowSums() {
    auto* ones = reinterpret_cast<float*>(scratch_ + plan_.block_bytes);
    auto* sums = reinterpret_cast<int32_t*>(ones + plan_.partition.row_block);
    for (int64_t r = 0; r < task_.rows; ++r) {
      ones[r] = 1.0f;
      sums[r] = RowSum(rows_ + static_cast<size_t>(r) * row_bytes_);
    }
    row_scales_ = ones;
    row_zero_points_ = sums;
  }

  int32_t RowSum(const uint8_t* row) const {
    const int64_t depth = p_.depth();
    const int32_t zero_point = p_.types.x_zero_point;
    switch (plan_.kernel.left) {
      case GemmS8Left::kInt8:
      case GemmS8Left::kInt8Pairs:
        return SumOf(reinterpret_cast<const int8_t*>(row), depth, zero_point);
      case GemmS8Left::kInt16:
        return SumOf(reinterpret_cast<const int16_t*>(row), depth, zero_point);
      case GemmS8Left::kOffset128:
        break;
    }
    return SumOf(row, depth, zero_point + 128);
  }

  // The sums of several tiles become outputs at once, in the first-level cache.
  static constexpr size_t kMaxSums =
      kSmallStack ? 64 : 2 * kMaxGemmS8Tile;  // tiles have 16 where it is small

  // The sums of one row lie side by side for all panels: what micro-kernels write behind the last row is
  // written again by the next panel. The loop would take 200 bytes of a small stack.
  int64_t PanelsAtOnce() const {
    if constexpr (kSmallStack) return 1;
    const size_t nr = plan_.kernel.nr, tile = plan_.kernel.mr * nr;
    return task_.rows == 1 && !epilogue_.InMicroKernel() ? static_cast<int64_t>((kMaxSums - tile) / nr + 1)
                                                         : 1;
  }

  // `panels` is 1, or up to PanelsAtOnce().
  void RunPanels(const int8_t* b, int64_t panel, int64_t panels) {
    const auto nr = static_cast<int64_t>(plan_.kernel.nr);
    const int64_t columns = columns_ - panel * nr;
    const auto n = static_cast<size_t>(columns < panels * nr ? columns : panels * nr);
    const int64_t y_column = task_.group * columns_ + panel * nr;
    alignas(kSmallStack ? 8 : 64) int32_t acc[kMaxSums];
    const auto step = static_cast<int64_t>(kMaxSums / (plan_.kernel.mr * plan_.kernel.nr) * plan_.kernel.mr);
    for (int64_t row = 0; row < task_.rows; row += step) {
      const auto m = static_cast<size_t>(task_.rows - row < step ? task_.rows - row : step);
      GemmS8Block block = {m,          n, plan_.depth, rows_ + static_cast<size_t>(row) * row_bytes_,
                           row_bytes_, b, acc};
      block.full_range = full_range_;
      GemmS8Output output;
      bool written = false;
      if (epilogue_.InMicroKernel()) {
        output = epilogue_.Output(task_.first_row + row, y_column);
        block.output = &output;
        block.written = &written;
      }
      RunMicroKernel(block, panels);
      if (written) continue;
      epilogue_.Finish(acc, plan_.kernel.nr, m, n, task_.first_row + row, y_column,
                       row_scales_ == nullptr ? nullptr : row_scales_ + row,
                       row_zero_points_ == nullptr ? nullptr : row_zero_points_ + row);
    }
  }

  // `block` begins with the first panel and has the columns of all; it ends behind the last one.
  void RunMicroKernel(GemmS8Block& block, int64_t panels) const {
    if constexpr (kSmallStack) return plan_.kernel.run(block);
    const size_t nr = plan_.kernel.nr;
    for (size_t left = block.n; panels > 0;
         --panels, left -= nr, block.b += plan_.panel_bytes, block.sums += nr) {
      block.n = left < nr ? left : nr;
      plan_.kernel.run(block);
    }
  }

  const Conv2DParams& p_;
  const Sizes& plan_;
  const InputS8& input_;
  const EpilogueS8& epilogue_;
  const GemmTask& task_;
  const int64_t columns_;  // of the group, a division
  uint8_t* scratch_;
  const uint8_t* rows_;  // of the left matrix
  size_t row_bytes_;
  bool full_range_ = false;
  const float* row_scales_ = nullptr;
  const int32_t* row_zero_points_ = nullptr;
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& of_layer, const ConvTensors& tensors,
         const Parallel& parallel) {
  const Sizes plan(p, of_layer);
  const InputS8 input = MakeInputS8(p, of_layer, tensors.x, tensors.scratch, parallel);
  const EpilogueS8 epilogue(p, of_layer, tensors, plan.kernel.result);
  const auto* panels = static_cast<const int8_t*>(tensors.packed) + ChannelTable::Bytes(p);
  auto* blocks = static_cast<uint8_t*>(tensors.scratch) + InputS8ScratchBytes(p);
  ParallelFor(parallel, static_cast<size_t>(plan.partition.tasks), [&](size_t index, int worker) {
    const GemmTask task = TaskOf(plan.partition, index);
    TaskRunner(p, plan, input, epilogue, task, blocks + plan.worker_bytes * static_cast<size_t>(worker))
        .Run(panels);
  });
}

}  // namespace

const Conv2DAlgorithm kImplicitGemmS8 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                         PackedBytes,   Pack,       Run,  true};

}  // namespace micrort
